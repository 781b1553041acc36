import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commandFiles, namesRunBy } from './commandFiles'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-commandFiles-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it.each<[string, string[]]>([
  ['acme game.asm', []],
  ['cp made.bin game.prg', []],
  ['./build.sh game.asm', ['./build.sh']],
  ['bash -e tools/build.sh && cp a b', ['tools/build.sh']],
  ['python3 make.py game.asm', ['make.py']],
  ['java -jar KickAss.jar game.asm', ['KickAss.jar']],
  ['DEBUG=1 env make all', ['GNUmakefile', 'makefile', 'Makefile']],
  ['make -f other.mk -C sub', ['other.mk', 'sub/GNUmakefile', 'sub/makefile', 'sub/Makefile']],
  ['cd sub; npm run build', ['package.json']],
])('“%s” runs the files %j', (command, files) => {
  expect(namesRunBy(command)).toEqual(files)
})

it('A digest is another one where a file that is run has changed, or has come, and the same for changed sources', async () => {
  writeFileSync(join(folder, 'Makefile'), 'all:\n')
  writeFileSync(join(folder, 'game.asm'), 'one')
  const first = await commandFiles('make', folder)
  expect(first.files).toEqual(['Makefile'])
  writeFileSync(join(folder, 'game.asm'), 'two')
  expect(await commandFiles('make', folder)).toEqual(first)
  writeFileSync(join(folder, 'Makefile'), 'all:\n\tother\n')
  const second = await commandFiles('make', folder)
  expect(second.digest).not.toBe(first.digest)
  writeFileSync(join(folder, 'GNUmakefile'), 'all:\n')
  expect((await commandFiles('make', folder)).digest).not.toBe(second.digest)
})
