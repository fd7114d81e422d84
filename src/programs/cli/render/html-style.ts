/** The one stylesheet of an exported page; the page's policy names its hash. */
export const stylesheet = `
:root{color-scheme:light dark;--page:#fff;--ink:#1c1e21;--soft:#667;--line:#dde1e6;--panel:#f5f6f8;--user:#0b62a8;--agent:#1a7f4b;--tool:#8a5a00;--bad:#b3261e;--add:#e3f6e8;--cut:#fdeaea}
@media (prefers-color-scheme:dark){:root{--page:#15171a;--ink:#e4e6ea;--soft:#98a0ab;--line:#2d3238;--panel:#1d2025;--user:#6db6f2;--agent:#63c98f;--tool:#e0b04c;--bad:#ff8a80;--add:#12351f;--cut:#401c1c}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
h1{font-size:1.4rem;margin:0 0 .6rem;overflow-wrap:anywhere}
header{border-bottom:1px solid var(--line);margin-bottom:1rem;padding-bottom:1rem}
dl{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:0;font-size:.85rem}
dl div{display:flex;gap:.4rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
article{margin:.9rem 0}
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
.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
.user .text{border-left:3px solid var(--user);padding-left:.8rem}
pre{background:var(--panel);border-radius:.4rem;padding:.6rem .8rem;margin:.4rem 0;overflow:auto;max-height:40rem;font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
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
@media (max-width:40rem){.pair{grid-template-columns:minmax(0,1fr)}}
img{max-width:100%;border-radius:.4rem}
footer{border-top:1px solid var(--line);margin-top:2rem;color:var(--soft);font-size:.85rem}
`;
