import { type Html, html } from '#platform/html.ts'

/** Calls the tools from the page; what it shows is drawn by tools.js, as text and never as markup. */
export const consoleOfTools: Html = html`<section class="console" id="console" aria-labelledby="console-title">
<h2 id="console-title">Try it here</h2>
<noscript><p>The console needs its script. The samples below need none.</p></noscript>
<form id="call" hidden>
<p><label for="tool">Tool</label> <select id="tool"></select></p>
<p id="about" class="console-note"></p>
<div id="arguments"></div>
<p class="console-act"><button>Call</button> <span id="said" role="status"></span></p>
</form>
<div id="answer" hidden>
<div id="shown" tabindex="-1" aria-label="Answer" role="group"></div>
<details><summary>The message, and the answer as JSON</summary>
<pre id="asked" tabindex="0" role="group" aria-label="The message"></pre>
<pre id="raw" tabindex="0" role="group" aria-label="The answer as JSON"></pre>
</details>
</div>
</section>
`
