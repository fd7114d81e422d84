/** The one stylesheet of an exported page; the page's policy names its hash. */
export const stylesheet = `
:root{color-scheme:light dark;--page:#fff;--ink:#1c1e21;--soft:#667;--line:#dde1e6;--panel:#f5f6f8;--user:#0b62a8;--agent:#1a7f4b;--tool:#8a5a00;--bad:#b3261e;--add:#e3f6e8;--cut:#fdeaea;--word:#8250df;--text:#0a3069;--name:#953800;--hint:#5c6570}
@media (prefers-color-scheme:dark){:root{--page:#15171a;--ink:#e4e6ea;--soft:#98a0ab;--line:#2d3238;--panel:#1d2025;--user:#6db6f2;--agent:#63c98f;--tool:#e0b04c;--bad:#ff8a80;--add:#12351f;--cut:#401c1c;--word:#d2a8ff;--text:#a5d6ff;--name:#ffa657;--hint:#8b949e}}
*{box-sizing:border-box}
body{display:flex;flex-direction:column;margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
h1{font-size:1.4rem;margin:0 0 .6rem;overflow-wrap:anywhere}
header{border-bottom:1px solid var(--line);margin-bottom:1rem;padding-bottom:1rem}
dl{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:0;font-size:.85rem}
dl div{display:flex;gap:.4rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
article{margin:.9rem 0;scroll-margin-top:1rem}
.call,.result,.mark,.context,.thinking{margin:.35rem 0}
article:target{outline:2px solid var(--user);outline-offset:.3rem;border-radius:.3rem}
.who{margin-bottom:.2rem}
.number{color:var(--soft);text-decoration:none;font-size:.8rem}
time,.aside{color:var(--soft);font-size:.8rem}
.user b{color:var(--user)}
.assistant b{color:var(--agent)}
.call b{color:var(--tool)}
.error b{color:var(--bad)}
.dead{opacity:.6}
.mark,.context summary,.thinking summary{color:var(--soft)}
pre{background:var(--panel);border-radius:.4rem;padding:.6rem .8rem;margin:.4rem 0;overflow:auto;max-height:40rem;font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;tab-size:4}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere;unicode-bidi:isolate}
summary{cursor:pointer}
.diff{padding:.4rem 0}
.diff ins,.diff del,.diff span,.diff i{display:block;padding:0 .8rem 0 calc(.8rem + 2ch);text-indent:-2ch;text-decoration:none}
.diff i{color:var(--soft)}
.diff ins{background:var(--add)}
.diff ins::before{content:"+ "}
.diff del{background:var(--cut)}
.diff del::before{content:"- "}
.diff span::before{content:"  "}
.file{margin-top:.4rem}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 1.5rem}
.pair>*{min-width:0}
table{border-collapse:collapse;margin:.8rem 0;font-size:.9rem}
th,td{border-bottom:1px solid var(--line);padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
@media (max-width:40rem){h1{font-size:1.2rem}pre{tab-size:2}.pair{grid-template-columns:minmax(0,1fr)}}
img{max-width:100%;border-radius:.4rem}
.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
.prose{overflow-wrap:anywhere;unicode-bidi:isolate}
.prose>:first-child{margin-top:0}
.prose>:last-child{margin-bottom:0}
.prose p,.prose ul,.prose ol,.prose blockquote{margin:.5rem 0}
.prose ul,.prose ol{padding-left:1.4rem}
.prose h3,.prose h4,.prose h5,.prose h6{margin:1rem 0 .4rem;line-height:1.3}
.prose h3{font-size:1.2rem}
.prose h4{font-size:1.08rem}
.prose h5,.prose h6{font-size:1rem}
.prose blockquote{border-left:3px solid var(--line);padding-left:.8rem;color:var(--soft)}
.prose :not(pre)>code{background:var(--panel);border-radius:.25rem;padding:.1em .3em}
.prose a{color:var(--user)}
.prose hr{border:0;border-top:1px solid var(--line)}
.user .prose{border-left:3px solid var(--user);padding-left:.8rem}
.wide{overflow-x:auto}
.wide *{overflow-wrap:break-word}
.wide th,.wide td{min-width:5rem;max-width:30rem}
.right{text-align:right}
.center{text-align:center}
nav{order:1;margin-bottom:1rem;font-size:.85rem}
nav ol{margin:.4rem 0;padding-left:2rem;max-height:24rem;overflow:auto}
nav a{color:inherit;text-decoration:none;overflow-wrap:anywhere}
nav a:hover{text-decoration:underline}
header{order:0}
main{order:2}
footer{order:3}
.hljs-keyword,.hljs-selector-tag,.hljs-literal,.hljs-section,.hljs-doctag,.hljs-type{color:var(--word)}
.hljs-string,.hljs-regexp,.hljs-symbol,.hljs-bullet{color:var(--text)}
.hljs-title,.hljs-built_in,.hljs-attr,.hljs-attribute,.hljs-name,.hljs-number,.hljs-variable,.hljs-meta{color:var(--name)}
.hljs-comment,.hljs-quote{color:var(--hint);font-style:italic}
.hljs-addition{background:var(--add)}
.hljs-deletion{background:var(--cut)}
@media (min-width:80rem){body{max-width:84rem;display:grid;grid-template-columns:18rem minmax(0,60rem);column-gap:2.5rem}header,footer{grid-column:1/-1}nav{grid-column:1;position:sticky;top:1rem;align-self:start;margin:0}nav ol{max-height:calc(100vh - 5rem)}main{grid-column:2}}
@media print{nav{display:none}details>*{display:block}}
footer{border-top:1px solid var(--line);margin-top:2rem;color:var(--soft);font-size:.85rem}
`;
