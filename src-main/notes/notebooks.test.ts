import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NOTES_FILE } from '@shared/contract/notes'
import { Notebooks } from './notebooks'

let folder: string
let notebooks: Notebooks
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-notebooks-'))
  notebooks = new Notebooks({
    watches: false,
    onChanged: () => undefined,
    log: (message, error) => {
      throw new Error(message, { cause: error })
    },
  })
})
afterEach(() => rm(folder, { recursive: true }))

const claude = { name: 'claude', lastCall: null }
const person = { name: 'frank', lastCall: null }
const note = (text: string) => ({ place: '$d020', text, evidence: null })
const add = async (text: string) =>
  (await notebooks.write(folder, { kind: 'add', ...note(text) }, claude)).now?.id ?? ''
const read = () => readFile(join(folder, NOTES_FILE), 'utf8')
/** Without waiting for the two seconds in which others may write. */
const textsWhenSettled = async () => {
  await notebooks.close()
  return (await notebooks.read(folder)).notes.map(({ text }) => text)
}

describe('a note that was written just now', () => {
  it('is not written again beside what the person made of it', async () => {
    await add('other')
    const added = await add('Border')
    await notebooks.write(folder, { kind: 'replace', note: added, ...note('Border, red') }, person)
    expect(await textsWhenSettled()).toEqual(['other', 'Border, red'])
  })

  it('is not written again once it was removed', async () => {
    await add('other')
    await notebooks.write(folder, { kind: 'remove', note: await add('Border') }, person)
    expect(await textsWhenSettled()).toEqual(['other'])
  })

  it('is written again as the person changed it where an editor has dropped it', async () => {
    await add('other')
    const before = await read()
    const added = await add('Border')
    await notebooks.write(folder, { kind: 'replace', note: added, ...note('Border, red') }, person)
    await writeFile(join(folder, NOTES_FILE), before)
    expect(await textsWhenSettled()).toEqual(['other', 'Border, red'])
  })

  it('is changed once more where an editor has written it as it was first', async () => {
    const added = await add('Border')
    const before = await read()
    await notebooks.write(folder, { kind: 'replace', note: added, ...note('Border, red') }, person)
    await writeFile(join(folder, NOTES_FILE), before)
    expect(await textsWhenSettled()).toEqual(['Border, red'])
  })
})
