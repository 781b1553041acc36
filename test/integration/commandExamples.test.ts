/** The examples of every command, called where all that they name is there; what they print with `--json` has the shape that the help says. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toFailure, type ErrorCode } from '@shared/contract/errors'
import { fullName, type Command, type CommandContext } from '../../src-main/cli/command'
import { findTarget, optionsOf, readArguments } from '../../src-main/cli/commandLine'
import { commands } from '../../src-main/cli/commands'
import { Output } from '../../src-main/cli/output'
import { rgbaPng } from '../../src-main/files/png'
import { Session } from '../../src-main/cli/session'
import type { Terminal } from '../../src-main/cli/terminal'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { startViceMonitorPeer, type ViceMonitorPeer } from '../peers/viceMonitorProcess'
import { recordBorder } from '../support/borderRecording'
import { callHere } from '../support/callHere'
import { CommandLine } from '../support/commandLine'
import { startServer, type StartedServer } from '../support/httpServer'
import { shellWords } from '../support/shellWords'
import { viceSnapshot } from '../support/viceSnapshot'

let calls: CommandLine
let ultimate: UltimatePeer
let vice: ViceMonitorPeer
let server: StartedServer
beforeAll(async () => {
  calls = new CommandLine()
  ;[ultimate, vice] = await Promise.all([startUltimate(), startViceMonitorPeer()])
  put('game.prg', Buffer.from('01080b080a009e32303631000000', 'hex'))
  put('game.lbl', 'al C:0810 .main\n')
  put('game.dbg', 'al C:0810 .main\n')
  put('game.s', '')
  put('c64-notes.md', '- `$0340-$037f` Sprite data.\n- `main` Entry.\n')
  put('hello.bas', '10 PRINT "HELLO"')
  put('game.asm', ' ldx #0\n- lda text,x\n beq +\n jsr $ffd2\n inx\n bne -\n+ jmp *\ntext .null "press fire"\n')
  put('games/Makefile', 'game:\n\tcp ../game.prg .\n')
  put('game.d64', Buffer.alloc(174_848))
  cpSync(resolve('docs/examples'), calls.folder, { recursive: true })
  cpSync(resolve('resources/sample-project'), join(calls.folder, 'resources/sample-project'), { recursive: true })
  put('.meta/session.json', readFileSync('resources/sample-project/sprite-editor/.meta/session.json'))
  put('.gemini/state/active-session.md', readFileSync('resources/sample-project/.gemini/state/active-session.md'))
  put('crash.vsf', Buffer.from(viceSnapshot(new Uint8Array(0x10000))))
  put('ship.png', readFileSync('test/fixtures/graphics/sheet.png'))
  put('dump.bin', Buffer.alloc(16))
  for (const name of ['title.png', 'other.png'])
    put(name, Buffer.from(rgbaPng({ width: 384, height: 272, rgba: new Uint8Array(384 * 272 * 4).fill(0xff) })))
  put('saved.json', JSON.stringify({ configuration: { 'Drive A Settings': { Drive: 'Disabled' } } }))
  put('jiffydos.rom', Buffer.alloc(0x4000))
  put('skills/notes/SKILL.md', '# Notes\n')
  put('package.json', '{ "version": "1.2.1" }')
  put('gemini-extension.json', '{ "name": "maestro", "version": "1.2.0" }')
  put('.gemini/parallel/batch-1/prompts/coder.md', 'Write it.\n')
  await ultimate.putFile('/Usb0/game.d64', Buffer.alloc(174_848))
  await ultimate.putFile('/Usb0/tune.sid', Buffer.from('PSID'.padEnd(0x80)))
  await calls.data('bridge', 'start')
  server = await startServer(calls)
  // It has the number 1 in its name.
  await calls.data('task', 'start', 'sample', '--ranges', '$A0-$A2', '--detach')
  recordBorder(join(calls.folder, '.c64bridge'), '0001_recording', Date.UTC(2026, 10, 21, 12), [
    { space: 'ram', address: 0x0400, bytes: new Uint8Array(1000) },
  ])
})
afterAll(async () => {
  await Promise.all([ultimate.stop(), vice.stop(), server.stop()])
  await calls.remove()
})

function put(file: string, content: string | Buffer): void {
  const path = join(calls.folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** The words of an example, with the peers in place of its machines. */
const wordsOf = (example: string): string[] =>
  shellWords(example)
    .map((word) => word.replace('ultimate:192.168.1.64', `ultimate:127.0.0.1:${ultimate.ports.rest}`))
    .map((word) => word.replace('vice:6502', `vice:127.0.0.1:${vice.port}`))
    .map((word) => word.replace(/^~/, calls.folder))

const answerSchema = z.object({ schema: z.string(), ok: z.literal(true), data: z.record(z.string(), z.unknown()) })

/** What a call printed, and the error with which it ended. */
async function call(command: Command, words: readonly string[]) {
  const printed: string[] = []
  const interrupted = new AbortController()
  const terminal: Terminal = {
    write: (text) => {
      printed.push(text)
      if (streams.includes(fullName(command))) interrupted.abort(new Error('seen'))
    },
    width: Infinity,
    hasColours: false,
    canMoveCursor: false,
  }
  const isJson = Object.hasOwn(optionsOf(command, words[0] ?? ''), 'json')
  const sessions: Session[] = []
  const find = async () => {
    const session = await Session.find(join(calls.folder, 'data'), {
      given: () => Promise.resolve(undefined),
      ask: () => Promise.resolve(undefined),
    })
    if (session) sessions.push(session)
    return session
  }
  const context: CommandContext = {
    output: new Output(fullName(command), isJson, { results: terminal, errors: terminal }),
    folder: calls.folder,
    environment: { BRIDGEDECK_DATA: join(calls.folder, 'data') },
    streams: process,
    commands,
    resources: resolve('out/resources'),
    signal: interrupted.signal,
    openSession: async () => (await find()) ?? Promise.reject(new Error('no bridge runs')),
    findSession: find,
    ownSessions: () => ({ find, open: context.openSession, close: () => Promise.resolve() }),
  }
  let error: unknown
  try {
    await command.run(context, readArguments(command, words))
  } catch (thrown) {
    error = thrown
  } finally {
    for (const session of sessions) await session.close()
  }
  return { printed, isJson, error }
}

/** Examples that are refused here, and why that is so. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  // The FTP service of the peer has a port of its own, and an Ultimate's is 21.
  'file list --folder /Usb0 --machine ultimate:192.168.1.64': 'CONFLICT',
  'file find *.prg --folder /Usb0 --machine ultimate:192.168.1.64': 'CONFLICT',
  'file upload game.d64 --folder /Usb0 --machine ultimate:192.168.1.64': 'CONFLICT',
  'file download /Usb0/game.d64 --out game.d64 --machine ultimate:192.168.1.64': 'CONFLICT',
  // Nobody is at a terminal who could agree.
  'build game.s': 'FORBIDDEN',
  'project trust .': 'FORBIDDEN',
  'agent add claude --preset claude': 'FORBIDDEN',
  'metashell run . --agent claude --max-cost 5': 'FORBIDDEN',
  'metashell run . --worktree': 'FORBIDDEN',
  'metashell resume .': 'FORBIDDEN',
  // No agent ran here.
  'project diff . --turn 0123abcd': 'NOT_FOUND',
  'project worktrees .': 'FORBIDDEN',
  'project worktrees . --remove bridgedeck/metashell-20260101-100000 --yes': 'FORBIDDEN',
  'metashell rollback . --task 02-01': 'FORBIDDEN',
  // Two runs have such a task, both without commits.
  'project diff . --task 02-01': 'CONFLICT',
  'project diff . --task 02-01 --attempt 1': 'CONFLICT',
  'maestro dispatch .gemini/parallel/batch-1 --resume': 'FORBIDDEN',
  'maestro run --mode parallel': 'FORBIDDEN',
  'maestro run . --agent claude --retry-failed --max-cost 5': 'FORBIDDEN',
  'ncrew run --max-cost 5': 'FORBIDDEN',
  'ncrew resume': 'FORBIDDEN',
  'ncrew resume --single': 'FORBIDDEN',
  // No debug file is loaded.
  'checkpoint add game.s:120': 'INVALID',
  // No checkpoint is set.
  'back --to-checkpoint': 'NOT_FOUND',
  // The recording has no pictures.
  'recording export 0001_recording screen.png --format png --at +1': 'NOT_FOUND',
  // It was stopped, and nothing interrupted it.
  'task resume 0001_sample --detach': 'CONFLICT',
  // Nothing crashed, and no agent runs.
  'task repair': 'CONFLICT',
  'task repair --yes': 'CONFLICT',
  'bridge open-anyway machine ultimate:192.168.1.64': 'NOT_FOUND',
  'agent stop 0001-claude': 'NOT_FOUND',
}

/** What is called before an example, so that what it names is there. */
const preparations: Readonly<Record<string, string>> = {
  'checkpoint delete 2 --machine vice:6502': "checkpoint add '$C100' --machine vice:6502",
  'checkpoint add main': 'label load game.lbl',
  'label clear game.lbl --machine vice:6502': 'label load game.lbl --machine vice:6502',
  'snapshot diff before': 'snapshot save before --replace',
  "snapshot diff before after --range '$0400-$07e7'": 'snapshot save after',
  'task delete 0001_sample': 'task stop 0001_sample',
  'ncrew run --max-cost 5': 'ncrew init . --name idea --idea Posters',
  'agent delete claude': 'agent add claude --preset custom --command ./agent.sh --yes',
}

const streams = ['machine watch', 'project watch', 'stub listen']

async function requireCalled(command: Command, example: string): Promise<void> {
  const { printed, isJson, error } = await call(command, findTarget(wordsOf(example), commands).rest)
  const code = error === undefined ? undefined : toFailure(error).code
  if (streams.includes(fullName(command))) expect(printed, example).not.toEqual([])
  else expect([example, code, toText(error)]).toEqual([example, refusals[example], expect.any(String)])
  if (!isJson || (code === refusals[example] && code !== undefined)) return
  for (const line of printed) requireShape(command, example, answerSchema.parse(JSON.parse(line)).data)
}

const toText = (error: unknown): string => (error === undefined ? '' : toFailure(error).message)

/** The keys of the data, and those of its objects where the help names them. */
function requireShape({ data: shape = {} }: Command, example: string, data: Record<string, unknown>): void {
  const declared = Object.keys(shape).map((key) => key.replace('?', ''))
  const always = Object.keys(shape).filter((key) => !/[?…]/.test(key))
  const unknown = Object.hasOwn(shape, '…') ? [] : Object.keys(data).filter((key) => !declared.includes(key))
  expect([example, unknown, always.filter((key) => !Object.hasOwn(data, key))]).toEqual([example, [], []])
  for (const [key, words] of Object.entries(shape)) {
    const [, start, inner] = /(\[?)\{ (.*?) \}/.exec(words) ?? []
    if (inner === undefined) continue
    const value = data[key.replace('?', '')]
    const first: unknown = start === '[' && Array.isArray(value) ? value[0] : value
    const { data: found } = z.record(z.string(), z.unknown()).safeParse(first)
    if (found === undefined) continue
    const named = inner.split(', ').filter((name) => name !== '…')
    const keys = inner.includes('…') ? Object.keys(found).filter((name) => named.includes(name)) : Object.keys(found)
    expect([example, key, keys.sort()]).toEqual([example, key, named.sort()])
  }
}

/** Programs talk to them: `mcp.test.ts`, `http.test.ts`. */
const talking = ['mcp serve', 'api serve']

const all = commands.filter(
  (command) => !talking.includes(fullName(command)) && !command.examples?.some((example) => example.includes('<')),
)
// Nothing can be called after these: the first one switches the Ultimate off.
const lastOnes = ['machine power-off', 'bridge stop']
const inOrder = [...all].sort((a, b) => lastOnes.indexOf(fullName(a)) - lastOnes.indexOf(fullName(b)))

describe('the examples of', () => {
  it.each(inOrder.map((command): [string, Command] => [fullName(command), command]))('%s', async (_, command) => {
    for (const example of command.examples ?? []) {
      const preparation = preparations[example]
      if (preparation !== undefined) {
        const { command: before, rest } = findTarget(wordsOf(preparation), commands)
        if (before) await call(before, rest)
      }
      await requireCalled(command, example)
    }
  })
})

it('An example that reads standard input works too', async () => {
  const [example = ''] = findTarget(['maestro', 'write-state'], commands).command?.examples ?? []
  const words = wordsOf(example.replace(/ <.*/, ''))
  const input = '# Session\n'
  const { code } = await callHere(words, { environment: calls.environment, input })
  expect([code, readFileSync(join(calls.folder, words.at(-1) ?? ''), 'utf8')]).toEqual([0, input])
})
