/**
 * `npm run site [-- preview]`: builds docs/ and a reference made of commands and schemas as a site in out/site; `preview` serves it on this
 * computer. VitePress has a lock file of its own in scripts/site. Only its installation needs a network.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { runnerImport } from 'vite'
import { fail, npm, root, run, say, SetupError, tail } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'

const tools = join(root, 'scripts', 'site')
const vitepress = join(tools, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
const source = join(root, 'out', 'site-source')

async function main() {
  const [wish, ...others] = process.argv.slice(2)
  if (others.length > 0 || (wish !== undefined && wish !== 'preview'))
    throw new SetupError('npm run site takes nothing, or preview.')
  await ensureSetup()
  await installTools()
  await writeSource()
  const { code, output } = await run(process.execPath, [vitepress, 'build', tools])
  if (code !== 0) throw new SetupError(`vitepress failed:\n${tail(output, 30)}`)
  process.stdout.write('out/site: index.html\n')
  if (wish === 'preview') spawn(process.execPath, [vitepress, 'preview', tools], { stdio: 'inherit' })
}

async function installTools() {
  if (existsSync(vitepress)) return
  say('installing VitePress…')
  const { code, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: tools,
  })
  if (code !== 0) throw new SetupError(`npm ci failed in ${tools}:\n${tail(output)}`)
}

/** What VitePress reads: the pages of docs/, those of the reference, and the navigation of both. */
async function writeSource() {
  const { module } = await runnerImport(resolve(root, 'scripts/lib/docsReference.ts'), {
    configFile: false,
    root,
    resolve: { alias: { '@shared': resolve(root, 'src-shared') } },
  })
  rmSync(source, { recursive: true, force: true })
  mkdirSync(join(source, 'reference'), { recursive: true })
  const docs = join(root, 'docs')
  cpSync(join(docs, 'images'), join(source, 'images'), { recursive: true })
  cpSync(join(docs, 'examples'), join(source, 'public', 'examples'), { recursive: true })
  const listed = module.docChapters.flatMap(({ pages }) => pages.map(({ name }) => `${name}.md`))
  const decisions = readdirSync(join(docs, 'decisions')).map((name) => `decisions/${name}`)
  mkdirSync(join(source, 'decisions'))
  for (const file of [...listed, ...decisions])
    writeFileSync(join(source, file), withoutOutsideLinks(readFileSync(join(docs, file), 'utf8'), file))
  const reference = module.referencePages()
  for (const { name, text } of reference) writeFileSync(join(source, 'reference', `${name}.md`), text)
  writeFileSync(join(source, 'navigation.json'), JSON.stringify(navigation(module.docChapters, reference), null, 2))
}

/** Links to files beside docs/ become text. */
const withoutOutsideLinks = (text, file) =>
  text.replaceAll(/\[([^\]]+)\]\((\.\.\/[^)]*)\)/g, (link, title, path) =>
    posix.join(file, '..', path).startsWith('../') ? title : link,
  )

const navigation = (chapters, reference) => [
  ...chapters.map(({ title, pages }) => ({
    text: title,
    items: pages.map(({ name, title: text }) => ({ text, link: name === 'index' ? '/' : `/${name}` })),
  })),
  {
    text: 'Commands and tools',
    collapsed: true,
    items: reference.map(({ name, title: text }) => ({ text, link: `/reference/${name}` })),
  },
]

await main().catch(fail)
