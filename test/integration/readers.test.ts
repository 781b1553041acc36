/** Whoever shows a run shows the same of it: the command line, its watch, the window and the scrubber. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

let top: string
let root: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bridgedeck-readers-'))
  root = join(top, 'project')
  cpSync('resources/sample-project', root, { recursive: true })
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const CREW = 'tape-archive'

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** Completes the phase after which a person approves. */
function reachGate(): void {
  edit(`${CREW}/tasks.md`, (tasks) =>
    tasks.replace(/## Architecture[^]*?(?=## )/, (phase) =>
      phase.replaceAll('[ ]', '[x]').replace('🔄 IN PROGRESS', '✅ COMPLETE'),
    ),
  )
  edit(`${CREW}/INDEX.md`, (index) => index.replace('status: blocked', 'status: in_progress'))
  edit(`${CREW}/questions/software-architect-002-levels.md`, (question) =>
    question
      .replace('status: pending', 'status: resolved')
      .replace('**Decision:** ___', '**Decision:** Both')
      .replace('**Reason:** ___', '**Reason:** Each tells something else'),
  )
}

describe('an approved gate of a crew', () => {
  const start = (...args: string[]) =>
    spawn(process.execPath, [resolve('out/main/cli.cjs'), 'project', ...args, '--json'], {
      env: { ...process.env, BRIDGEDECK_DATA: join(top, 'data'), INIT_CWD: top },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const run = async (...args: string[]): Promise<unknown> => JSON.parse(await text(start(...args).stdout))

  const needsSchema = z.object({
    data: z.object({ needs: z.array(z.object({ system: z.string(), need: z.object({ kind: z.string() }) })) }),
  })
  const inspectSchema = z.object({
    data: z.object({
      runs: z.array(z.object({ view: z.object({ system: z.string(), state: z.object({ value: z.string() }) }) })),
    }),
  })
  const crewNeeds = async (folder: string) =>
    needsSchema
      .parse(await run('needs', folder))
      .data.needs.flatMap(({ system, need }) => (system === 'ncrew' ? need.kind : []))
  const crewState = async (folder: string) =>
    inspectSchema
      .parse(await run('inspect', folder))
      .data.runs.flatMap(({ view }) => (view.system === 'ncrew' ? view.state.value : []))

  it('waits no longer for needs, inspect and watch', { timeout: 60_000 }, async () => {
    reachGate()
    expect([await crewNeeds('project'), await crewState('project')]).toEqual([['gate'], ['gate']])

    const watching = start('watch', 'project')
    const ended = once(watching, 'exit')
    const lines: string[] = []
    createInterface(watching.stdout).on('line', (line) => lines.push(line))
    try {
      await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('"runs"')

      await run('answer', 'project', '--action', 'approve', '--yes')

      expect([await crewNeeds('project'), await crewState('project')]).toEqual([[], ['running']])
      // The crew's own folder, which lies in the one that was opened.
      expect([await crewNeeds(`project/${CREW}`), await crewState(`project/${CREW}`)]).toEqual([[], ['running']])
      await expect
        .poll(() => lines.join('\n'), { timeout: 20_000 })
        .toMatch(/"run":"ncrew:[^"]*","kind":"run","state":"running","needs":0/)
      watching.kill('SIGINT')
      await ended
    } finally {
      watching.kill('SIGKILL')
    }
  })
})
