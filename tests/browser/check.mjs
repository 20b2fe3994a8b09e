// Opens each page at phone and desktop width, light and dark, and without its script.
import { createRequire } from "node:module";
import { readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const LIMIT = 500_000;
const views = [
  { name: "phone", width: 360, height: 740, scheme: "light" },
  { name: "phone-dark", width: 360, height: 740, scheme: "dark" },
  { name: "desktop", width: 1280, height: 900, scheme: "light" },
  { name: "desktop-dark", width: 1280, height: 900, scheme: "dark" },
  { name: "no-script", width: 1280, height: 900, scheme: "light", scripts: false },
];

let passed = 0;
let failed = 0;
const check = (what, problems) => {
  if (problems.length === 0) {
    passed += 1;
    return;
  }
  failed += 1;
  console.log(`FAILED ${what}\n  ${problems.join("\n  ")}`);
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

for (const file of process.argv.slice(2)) {
  const name = basename(file, ".html");
  const size = statSync(file).size;
  check(`${name}: size`, size > LIMIT ? [`${size} bytes, more than ${LIMIT}`] : []);
  for (const view of views) {
    const context = await browser.newContext({
      viewport: { width: view.width, height: view.height },
      colorScheme: view.scheme,
      javaScriptEnabled: view.scripts !== false,
      // The page's own policy keeps axe out; a second look without it is what the policy check is for.
      bypassCSP: false,
    });
    const page = await context.newPage();
    const problems = [];
    const url = pathToFileURL(resolve(file)).href;
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("request", (request) => {
      if (request.url() !== url && !request.url().startsWith("data:")) problems.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    await page.screenshot({ path: join(process.env.OUT, `${name}-${view.name}.png`), fullPage: true });
    if (view.scripts !== false) {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) problems.push(`the page is ${wide} pixels wider than the screen`);
      const input = await page.$("input[type=search]");
      if (input) {
        await input.fill("no cause holds this text");
        const left = await page.$$eval("article", (all) => all.filter((it) => !it.hidden).length);
        if (left !== 0) problems.push(`the filter leaves ${left} causes`);
        await input.fill("");
      }
    }
    check(`${name}, ${view.name}: quiet`, problems);
    await context.close();
    if (view.scripts === false) continue;

    const audited = await browser.newContext({
      viewport: { width: view.width, height: view.height },
      colorScheme: view.scheme,
      bypassCSP: true,
    });
    const audit = await audited.newPage();
    await audit.goto(url);
    await audit.evaluate(() => document.querySelectorAll("details").forEach((it) => { it.open = true; }));
    await audit.evaluate(axe);
    const result = await audit.evaluate(() => window.axe.run());
    check(
      `${name}, ${view.name}: axe`,
      result.violations.map((it) => `${it.id}: ${it.help}: ${it.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`),
    );
    await audited.close();
  }
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(resolve(file)).href);
  const pdf = await page.pdf({ path: join(process.env.OUT, `${name}.pdf`) });
  check(`${name}: prints`, pdf.length > 1000 ? [] : ["the print is empty"]);
  await context.close();
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
