/** Builds everything that runs: the C64 images in resources/, Electron's three parts, and the Node programs. */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { build as buildElectron } from 'electron-vite'
import { build as buildProgram } from 'vite'
import { assembleAll } from './assemble.mjs'
import { fingerprint, markBuilt, unmarkBuilt } from './lib/builtStamp.mjs'
import { listPackages } from './lib/bundledPackages.mjs'
import { pureSchemas } from './lib/pagePlugins.ts'
import { programs } from './lib/programs.mjs'

const root = resolve(import.meta.dirname, '..')

export async function buildAll() {
  const sources = fingerprint()
  unmarkBuilt()
  process.chdir(root)
  await assembleAll()
  // What agents are told to be where a project does not say it.
  cpSync('resources/metashell', 'out/resources/metashell', { recursive: true })
  // Whoever wants to look around is given a copy of it.
  cpSync('resources/sample-project', 'out/resources/sample-project', { recursive: true })
  // The crew that `ncrew init` copies.
  cpSync('resources/ncrew', 'out/resources/ncrew', { recursive: true })
  await buildElectron({ logLevel: 'warn' })
  await buildPicturePage()
  for (const [name, entry] of Object.entries(programs)) {
    await buildProgram({
      configFile: false,
      root,
      logLevel: 'warn',
      resolve: { alias: { '@shared': resolve(root, 'src-shared') } },
      ssr: { noExternal: true },
      plugins: [programsApart, listPackages(name)],
      build: {
        ssr: resolve(root, entry),
        outDir: resolve(root, 'out/main'),
        emptyOutDir: false,
        target: 'node22',
        minify: false,
        rolldownOptions: {
          external: [
            ...builtinModules,
            ...builtinModules.map((name) => `node:${name}`),
            'better-sqlite3',
            'serialport',
          ],
          // import() of CommonJS reads each file twice: once to look for the names that it exports.
          output: { format: 'cjs', entryFileNames: `${name}.cjs`, dynamicImportInCjs: false },
        },
      },
    })
  }
  buildClient()
  markBuilt(sources)
}

/** What `bridgedeck/client` is: modules with their types, which need nothing else. */
function buildClient() {
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc')
  const options = ['--noEmit', 'false', '--allowImportingTsExtensions', 'false', '--rewriteRelativeImportExtensions']
  const output = ['--declaration', '--outDir', join(root, 'out', 'client')]
  const { status } = spawnSync(process.execPath, [compiler, '--project', 'src-client', ...options, ...output], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The client could not be built.')
}

/** A program that is imported by another one stays apart, so that it can come from the compile cache. */
const programsApart = {
  name: 'programs-apart',
  enforce: 'pre',
  resolveId(source, importer) {
    const path = importer && relative(root, resolve(dirname(importer), `${source}.ts`))
    const found = Object.entries(programs).find(([, entry]) => entry === path)
    return found && { id: `./${found[0]}.cjs`, external: true }
  },
}

/** One file of its own: shared chunks would let it wait for the main window's page, and carry that page's views. */
async function buildPicturePage() {
  await buildProgram({
    configFile: false,
    root,
    logLevel: 'warn',
    resolve: { alias: { '@shared': resolve(root, 'src-shared') } },
    plugins: [pureSchemas, listPackages('picture')],
    build: {
      outDir: resolve(root, 'out/renderer'),
      emptyOutDir: false,
      target: 'chrome114',
      rolldownOptions: {
        input: resolve(root, 'src-renderer/picture.ts'),
        output: { format: 'iife', entryFileNames: 'picture.js' },
      },
    },
  })
  cpSync('src-renderer/picture.html', 'out/renderer/picture.html')
}

if (process.argv[1] === import.meta.filename) await buildAll()
