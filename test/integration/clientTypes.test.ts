/** What outsiders compile against: made from the tools' table, and usable in a strict project of theirs. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientTypes, formatted, generatedFile, typeOf } from '../../scripts/lib/clientTypes'
import { referencePages } from '../../scripts/lib/docsReference'
import { fullName } from '../../src-main/cli/command'
import { commands } from '../../src-main/cli/commands'
import { tools } from '../../src-main/cli/mcp/tools'

it('The types of the client are those of the tools and events now; `npm run client-types` makes them again', async () => {
  expect(readFileSync(generatedFile, 'utf8')).toBe(await formatted(clientTypes()))
})

it('The reference of the site has a section for each command and each operation of the tools', () => {
  const headings = referencePages().flatMap(({ text }) =>
    [...text.matchAll(/^#{2,3} (.*)$/gm)].map(([, title]) => title),
  )
  const named = [
    ...commands.filter(({ isHidden }) => !isHidden).map(fullName),
    ...tools.flatMap(({ name, operations }) => [name, ...Object.keys(operations).map((op) => `${name} ${op}`)]),
  ]
  expect(headings.toSorted()).toEqual(named.toSorted())
})

it.each([
  [{ type: 'integer' }, 'number'],
  [{ type: ['number', 'null'] }, 'number | null'],
  [{ enum: ['a', "b'"] }, String.raw`'a' | 'b\'` + `'`],
  [{ anyOf: [{ type: 'integer' }, { type: 'number' }, { type: 'null' }] }, 'number | null'],
  [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, 'readonly (string | null)[]'],
  [
    { type: 'object', properties: { 'a-b': {}, c: { const: 1 } }, required: ['c'] },
    "{ readonly 'a-b'?: unknown; readonly c: 1 }",
  ],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'Readonly<Partial<Record<string, string>>>'],
])('The schema %j is the type %s', (schema, type) => expect(typeOf(schema)).toBe(type))

const program = `
import { BridgedeckError, connect, type Answer, type Frame } from 'bridgedeck/client'

const c64 = connect({ url: 'http://127.0.0.1:6464', token: 'token', name: 'outsider' })
const answer: Answer<'bytes'> = await c64.memory.read({ address: '$d020', length: 2, bank: 'io' })
const bytes: unknown = answer.data.bytes
const picture: Uint8Array | undefined = (await c64.see.picture()).picture
await c64.call('memory', 'read', { address: '$d020' })
const events = await c64.events()
const end: () => void = events.on('machine.states', ({ machines }) => console.log(machines[0]?.machine.toUpperCase(), bytes, picture))
events.frames({ rate: 10, screen: true }, (frame: Frame) => console.log(frame.screen?.[0]?.length))
events.onError((error: BridgedeckError) => console.log(error.code, error.hint))
end()
// @ts-expect-error there is no such operation
await c64.memory.reed({})
// @ts-expect-error the address is missing
await c64.memory.read({})
// @ts-expect-error there is no such bank
await c64.memory.read({ address: '0', bank: 'money' })
// @ts-expect-error there is no such event
events.on('nothing', () => undefined)
// @ts-expect-error what it holds has to be looked at
answer.data.bytes.length
`

describe('a strict project of an outsider', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-outsider-'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(resolve('.'), join(folder, 'node_modules', 'bridgedeck'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'main.ts'), program)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['typescript', 'nodenext', 'nodenext'],
    ['typescript', 'esnext', 'bundler'],
    ['typescript-native', 'nodenext', 'nodenext'],
  ])('compiles with %s, %s modules found as %s', (compiler, module, moduleResolution) => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      noEmit: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['main.ts'] }))
    const tsc = resolve('node_modules', compiler, 'bin', 'tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])
  })

  it('runs in Node', () => {
    const script = `
      import { BridgedeckError, connect } from 'bridgedeck/client'
      const failed = await connect({ url: 'http://127.0.0.1:1', token: 'any' }).machine.list().catch((error) => error)
      console.log(failed instanceof BridgedeckError, failed.code)`
    writeFileSync(join(folder, 'main.mjs'), script)
    const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'main.mjs')], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['true UNREACHABLE\n', ''])
  })
})
