/** The shells that can complete what is typed. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export type Shell = (typeof shells)[number];

/** What a shell must be reported once; what can be typed it then asks `reprise complete`. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}

const scripts: Readonly<Record<Shell, string>> = {
  bash: `# reprise: in ~/.bashrc:  eval "$(reprise completion bash)"
_reprise() {
  local IFS=$'\\n'
  COMPREPLY=($(reprise complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _reprise reprise
`,
  zsh: `#compdef reprise
# reprise: in ~/.zshrc, after compinit:  eval "$(reprise completion zsh)"
_reprise() {
  local -a lines shown
  local line
  lines=("\${(@f)$(reprise complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    [[ -n $line ]] && shown+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#shown} )); then _describe -V reprise shown; else _files; fi
}
compdef _reprise reprise
`,
  fish: `# reprise: reprise completion fish > ~/.config/fish/completions/reprise.fish
function __reprise_complete
    set -l words (commandline -opc) (commandline -ct)
    reprise complete -- $words[2..-1] 2>/dev/null
end
complete -c reprise -f -k -a '(__reprise_complete)'
`,
  powershell: `# reprise: in $PROFILE:  reprise completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName reprise -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  reprise complete -- @words 2>$null | ForEach-Object {
    $value, $says = $_ -split "\\t", 2
    if (-not $says) { $says = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $says)
  }
}
`,
};
