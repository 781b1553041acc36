/**
 * `npm run pictures`: makes the pictures again that test/e2e/pictures.test.ts holds the window against, and says what they
 * weigh. `npm run pictures -- empty`: those in empty views, of what the built app shows once it has something.
 * `npm run pictures -- readme`: those of README and docs. `npm run pictures -- effects`: those that x64sc shows of the
 * programs in test/programs/effects.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { electronRuntime } from './lib/electron.mjs'
import { fail, root, SetupError } from './lib/process.mjs'
import { ensureSetup, node24 } from './lib/setup.mjs'
import { provideParts } from './lib/systemPackages.mjs'

const folder = join(root, 'test', 'fixtures', 'pictures')

const others = {
  empty: { project: 'e2e', file: 'test/e2e/emptyPictures.test.ts' },
  readme: { project: 'e2e', file: 'test/e2e/readmePictures.test.ts' },
  effects: { project: 'vice', file: 'test/vice/effects.test.ts' },
}

async function main() {
  await ensureSetup()
  const { executable } = await electronRuntime()
  const what = process.argv[2]
  const missing = await provideParts([what === 'effects' ? 'vice' : 'electron', 'xvfb'], executable)
  if (missing.size > 0) throw new SetupError([...missing.values()].join('\n'))
  if (what in others) {
    process.exitCode = await makePictures(what, others[what])
    return
  }
  // Those of workspaces and states that are no more go too.
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = await makePictures('make', { project: 'e2e', file: 'test/e2e/pictures.test.ts' })
  if (!existsSync(folder)) return
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'))
  const bytes = pictures.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  process.stdout.write(`${pictures.length} pictures, ${(bytes / 1024).toFixed(0)} KiB, in ${folder}\n`)
  process.stdout.write('Look at each of them with git diff before you keep them.\n')
}

/**
 * @param {string} what as the test file knows it
 * @param {{ project: string, file: string }} test
 * @returns {Promise<number>} the exit code
 */
function makePictures(what, { project, file }) {
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, file]
  return new Promise((done, reject) => {
    const child = spawn(node24, args, {
      cwd: root,
      env: { ...process.env, BRIDGEDECK_NODE: node24, BRIDGEDECK_PICTURES: what },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', reject)
    child.on('exit', (code) => done(code ?? 1))
  })
}

await main().catch(fail)
