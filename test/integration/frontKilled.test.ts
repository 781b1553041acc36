/** Where the system's Node is another one, the front process starts the call again under ours: killing it ends the call. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isAlive } from '../support/agentBench'
import { CommandLine } from '../support/commandLine'

const setup = pathToFileURL(resolve('scripts/lib/setup.mjs')).href
const front = `import(${JSON.stringify(setup)}).then(({ goOnUnderNode24 }) => goOnUnderNode24())`

let calls: CommandLine
let process24: ChildProcess
beforeEach(() => {
  calls = new CommandLine()
})
afterEach(async () => {
  process24.kill('SIGKILL')
  await calls.remove()
})

/** @returns what it printed until the text was there */
async function startUnderFront(words: readonly string[], text: string): Promise<string> {
  process24 = spawn(process.execPath, ['-e', front, '--', resolve('out/main/cli.cjs'), ...words], {
    cwd: calls.folder,
    env: calls.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of process24.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk)
    if (said.includes(text)) return said
  }
  throw new Error(`It ended, and said ${said}`)
}

async function killFront(): Promise<void> {
  process24.kill('SIGKILL')
  await once(process24, 'exit')
}

it('A server ends with its front process, however that ended', async () => {
  const said = await startUnderFront(['serve', '--port', '0', '--json'], '}\n')
  const { data } = JSON.parse(said) as { data: { url: string } }
  const answers = () =>
    fetch(data.url).then(
      () => true,
      () => false,
    )
  expect(await answers()).toBe(true)
  await killFront()
  await expect.poll(answers).toBe(false)
})

it('A loop ends tidily with its front process, with its agent, and says so in its log', async () => {
  const agent = join(calls.folder, 'agent.mjs')
  const pidFile = join(calls.folder, 'agent.pid')
  writeFileSync(
    agent,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid))\nsetInterval(() => {}, 1000)\n`,
  )
  const project = join(calls.folder, 'project')
  mkdirSync(join(project, '.meta'), { recursive: true })
  writeFileSync(join(project, '.meta/context.md'), '# Project: Tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n')
  await calls.data('project', 'trust', project, '--yes')
  const setUp = ['--preset', 'custom', '--command', process.execPath, '--argument', agent, '--yes']
  await calls.data('agent', 'add', 'fake', ...setUp)
  await startUnderFront(['metashell', 'run', project, '--agent', 'fake'], '\n')
  await expect.poll(() => readFileSync(pidFile, { encoding: 'utf8', flag: 'a+' })).not.toBe('')
  const pid = Number(readFileSync(pidFile, 'utf8'))
  expect(isAlive(pid)).toBe(true)
  await killFront()
  await expect.poll(() => isAlive(pid)).toBe(false)
  // The lines of its log, on the output that it inherited.
  let log = ''
  for await (const chunk of process24.stdout ?? []) log += String(chunk)
  expect(log).toMatch(/\[[A-Z]+\] .*[Ss]topped/)
})
