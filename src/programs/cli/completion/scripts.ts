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
  local word glue n=-1 words=() values=() texts=() value says width=0 line
  # Bash splits at colons and behind @: claude-code:8e is one word to Reprise.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $n -ge 0 && ( $word == :* || $glue == [:@] ) ]]; then
      words[n]+=$word
    else
      n=$((n + 1))
      words[n]=$word
    fi
    glue=\${word: -1}
  done
  # Only $2 of it is replaced.
  local cut=\${words[n]%"$2"}
  while IFS=$'\\t' read -r value says; do
    value=\${value#"$cut"}
    values+=("$value")
    texts+=("$says")
    ((\${#value} > width)) && width=\${#value}
  done < <(reprise complete -- "\${words[@]}" 2>/dev/null)
  local room=$((\${COLUMNS:-80} - width - 3))
  COMPREPLY=()
  for n in "\${!values[@]}"; do
    line=\${values[n]}
    # What is inserted is the value alone: where one is left, or where keys go through them.
    if [[ \${#values[@]} -gt 1 && $room -ge 10 && -n \${texts[n]} && $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then
      printf -v line '%-*s  %s' "$width" "$line" "\${texts[n]:0:room}"
    fi
    COMPREPLY+=("$line")
  done
}
complete -o default -o nosort -F _reprise reprise 2>/dev/null || complete -o default -F _reprise reprise
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
