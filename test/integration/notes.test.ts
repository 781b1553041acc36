/** Notes on a program that agents, over the real server, and the person, with an editor and the command line, keep in one file. */
import { appendFileSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { CommandLine } from '../support/commandLine'
import { ask, connectAgent } from '../support/mcpClient'

let calls: CommandLine
let file: string
const clients: Client[] = []

beforeEach(async () => {
  calls = new CommandLine()
  file = join(calls.folder, 'c64-notes.md')
  await calls.data('bridge', 'start')
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await calls.remove()
})

async function agent(name: string, ...words: string[]): Promise<Client> {
  const client = await connectAgent(new Client({ name, version: '1' }), calls, ...words)
  clients.push(client)
  return client
}

const notesSchema = z.object({
  notes: z.array(
    z.object({ id: z.string(), place: z.string().nullable(), text: z.string(), by: z.string().nullable() }),
  ),
})
const notes = async (...words: string[]) => notesSchema.parse(await calls.data('note', 'list', ...words)).notes
const read = async (client: Client, uri: string) => JSON.stringify((await client.readResource({ uri })).contents)

it('A finding has the agent’s call of the journal behind it, and others find it at its place', async () => {
  const client = await agent('claude', '--allow', 'change', '--allow', 'files')
  const source = '* = $c000\nmain lda #2\n sta $d020\nstay jmp stay'
  await ask(client, 'run', { op: 'assembly', source, frames: 5 })
  await ask(client, 'memory', { op: 'why', address: '$d020' })
  const kept = await ask(client, 'project', { op: 'note', text: 'Sets the border.', at: 'main' })
  expect(kept.text).toMatch(
    /main {2}Sets the border\.\n {2}— claude, \d{4}-\d\d-\d\d; call \d+: memory why address: \$d020$/,
  )
  await calls.data('note', 'add', 'Border, red.', '--at', '$d020')

  const other = await agent('codex')
  expect(other.getInstructions()).toContain('project notes')
  expect((await other.listResources()).resources.map(({ uri }) => uri)).toContain('bridgedeck://notes')
  expect(await read(other, 'bridgedeck://notes')).toMatch(/Sets the border.*Border, red/)
  // By the label of the program that is loaded.
  expect(await read(other, 'bridgedeck://notes/%24c000')).toContain('Sets the border')
  expect(await read(other, 'bridgedeck://notes/%24d020-%24d021')).not.toContain('Sets the border')
  expect((await notes('VIC.BORDER')).map(({ text }) => text)).toEqual(['Border, red.'])
  expect(await ask(other, 'project', { op: 'note', text: 'not allowed' })).toMatchObject({ isError: true })
})

it('Nobody loses a note while two agents, the command line and an editor write the file at once', async () => {
  writeFileSync(file, '# Mine\r\n\r\n* by hand <!-- stays -->\r\n\r\nThe end.\r\n')
  const agents = await Promise.all(['one', 'two'].map((name) => agent(name, '--allow', 'files')))
  const rounds = Array.from({ length: 8 }, (_, round) => round)
  const agentWrites = agents.map(async (client, which) => {
    for (const round of rounds) {
      const kept = await ask(client, 'project', { op: 'note', text: `agent ${which} ${round}`, at: '$c000' })
      expect(kept).toMatchObject({ isError: false })
    }
  })
  const personWrites = async () => {
    for (const round of rounds) {
      await calls.data('note', 'add', `command line ${round}`)
      // As an editor saves: in place, or by a new file in its place.
      if (round % 2 === 0) appendFileSync(file, `* editor ${round}\r\n`)
      else {
        writeFileSync(`${file}~`, `${readFileSync(file, 'utf8')}* editor ${round}\r\n`)
        renameSync(`${file}~`, file)
      }
    }
  }
  await Promise.all([...agentWrites, personWrites()])
  const wanted = [
    'by hand <!-- stays -->',
    ...rounds.flatMap((round) => [`agent 0 ${round}`, `agent 1 ${round}`, `command line ${round}`, `editor ${round}`]),
  ]
  // What an editor dropped is written again within two seconds.
  await expect
    .poll(async () => (await notes()).map(({ text }) => text).toSorted(), { timeout: 30_000 })
    .toEqual(wanted.toSorted())
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^# Mine\r\n\r\n\* by hand <!-- stays -->\r\n[^]*The end\.\r\n/)
  expect(text.replaceAll('\r\n', '')).not.toContain('\n')
})

it('An agent does not overwrite what the person has changed since it looked', async () => {
  writeFileSync(file, '- `$d020` Border\n- other\n')
  const client = await agent('claude', '--allow', 'files')
  const [note] = await notes()
  writeFileSync(file, '- `$d020` Border, by VIC-II\n- other\n')
  for (const op of [{ op: 'edit_note', text: 'mine' }, { op: 'remove_note' }]) {
    const refused = await ask(client, 'project', { ...op, note: note?.id })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('project notes') as string })
  }
  const [now] = await notes()
  expect((await ask(client, 'project', { op: 'edit_note', note: now?.id, text: 'Border.' })).isError).toBe(false)
  expect(readFileSync(file, 'utf8')).toMatch(/^- `\$d020` Border\.\n {2}— claude, [^\n]*\n- other\n$/)
  const [edited] = await notes()
  expect((await ask(client, 'project', { op: 'remove_note', note: edited?.id })).isError).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('- other\n')
})

it('A client that subscribed is told when the person edits the file', async () => {
  const client = await agent('claude')
  const told = new Promise((done) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, done))
  await client.subscribeResource({ uri: 'bridgedeck://notes' })
  writeFileSync(file, '- by hand\n')
  expect(await told).toMatchObject({ params: { uri: 'bridgedeck://notes' } })
})

it('A file that cannot be read is told with its place, and the last notes stay', async () => {
  writeFileSync(file, '- good\n')
  await notes()
  const broken = Buffer.from('- good\n- b\xe4d\n', 'latin1')
  writeFileSync(file, broken)
  const listed = await calls.run('note', 'list')
  expect(listed.stdout).toMatch(/good\n.*c64-notes\.md:2:4: /s)
  expect(await calls.run('note', 'add', 'more')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('c64-notes.md:2:4: ') as string,
  })
  expect(readFileSync(file)).toEqual(broken)
})

it.skipIf(process.platform === 'win32')('A link does not lead out of the project', async () => {
  const outside = new CommandLine()
  try {
    writeFileSync(join(outside.folder, 'other.md'), '- secret\n')
    symlinkSync(join(outside.folder, 'other.md'), file)
    expect(await calls.run('note', 'list')).toMatchObject({ stdout: '' })
    await calls.run('note', 'add', 'more')
    expect(readFileSync(join(outside.folder, 'other.md'), 'utf8')).toBe('- secret\n')
  } finally {
    await outside.remove()
  }
})
