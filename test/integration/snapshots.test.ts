/** Snapshots of memory on the command line, with the built-in C64. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordBorder } from '../support/borderRecording'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
  await calls.data('pause')
  recordBorder(join(calls.folder, '.c64bridge'), '0009_recording', Date.UTC(2026, 10, 21, 12), [
    { space: 'ram', address: 0x0400, bytes: Uint8Array.of(1, 2) },
    { space: 'ram', address: 0x0410, bytes: Uint8Array.of(3) },
  ])
})
afterAll(() => calls.remove())

describe('a snapshot of memory', () => {
  it('shows what differs since, by name, and nothing where nothing does', async () => {
    expect(await calls.data('snapshot', 'save', 'before')).toMatchObject({
      snapshot: { name: 'before', source: 'builtin', ranges: [{ bank: 'ram', range: '$0000-$FFFF' }, {}, {}] },
    })
    expect(await calls.data('snapshot', 'diff', 'before')).toMatchObject({ differences: [], bytes: 0, registers: [] })
    await calls.data('write', '--address', '$c000', '--bytes', '01 02', '--bank', 'ram')
    await calls.data('write', '--address', '$0400', '--bytes', '2a', '--bank', 'ram')
    expect(await calls.data('snapshot', 'diff', 'before')).toMatchObject({
      ranges: 2,
      bytes: 3,
      unread: 0,
      differences: [
        { bank: 'ram', range: '$0400', length: 1, after: '2a' },
        { bank: 'ram', range: '$C000-$C001', length: 2, after: '0102' },
      ],
    })
    expect((await calls.run('snapshot', 'diff', 'before', '--range', '$c000-$cfff')).stdout).toMatch(
      /^2 bytes in 1 range differ:\n\$C000-\$C001 .* → 01 02\n$/,
    )
  })

  it('is compared with another one, and each keeps its name unless it is replaced', async () => {
    await calls.data('snapshot', 'save', 'after')
    expect(await calls.data('snapshot', 'diff', 'before', 'after')).toMatchObject({ bytes: 3 })
    const refused = await calls.run('snapshot', 'save', 'after')
    expect(refused.stderr).toContain('There is a snapshot “after” already.')
    await calls.data('write', '--address', '$c000', '--bytes', '00 00', '--bank', 'ram')
    await calls.data('snapshot', 'save', 'after', '--replace')
    expect(await calls.data('snapshot', 'diff', 'before', 'after')).toMatchObject({ bytes: 1 })
  })

  it('is the baseline of compare_snapshot', async () => {
    expect(await calls.data('task', 'run', 'compare_snapshot', '--baseline', 'snapshot:before')).toMatchObject({
      result: { summary: { result: 'different', ranges: [{ space: 'ram', from: '0x0400', length: 1, found: '2a' }] } },
    })
  })

  it('is taken from a PRG, from a whole image, and from bytes at an address', async () => {
    const put = (file: string, bytes: Uint8Array) => writeFileSync(join(calls.folder, file), bytes)
    put('part.prg', Uint8Array.of(0x00, 0xc1, 7, 8))
    put('whole.bin', new Uint8Array(0x10000))
    put('bytes.bin', Uint8Array.of(5))
    await calls.data('snapshot', 'import', 'part.prg')
    await calls.data('snapshot', 'import', 'whole.bin', 'zero')
    await calls.data('snapshot', 'import', 'bytes.bin', '--address', '$c100')
    expect(await calls.data('snapshot', 'diff', 'zero', 'part')).toMatchObject({
      differences: [{ range: '$C100-$C101', before: '0000', after: '0708' }],
    })
    expect(await calls.data('snapshot', 'diff', 'part', 'bytes')).toMatchObject({
      differences: [{ range: '$C100', before: '07', after: '05' }],
    })
    const { stdout } = await calls.run('snapshot', 'list')
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'after',
      'before',
      'bytes',
      'part',
      'zero',
      '',
    ])
  })

  it('is taken from a moment of a recording, of which only what was recorded is compared', async () => {
    const of = ['--recording', '0009_recording', '--at', '+1']
    expect(await calls.data('snapshot', 'save', 'recorded', ...of)).toMatchObject({
      snapshot: {
        source: '0009_recording',
        ranges: [
          { bank: 'ram', range: '$0400-$0410' },
          { bank: 'io', range: '$D020-$D021' },
        ],
      },
    })
    writeFileSync(join(calls.folder, 'zeros.bin'), new Uint8Array(0x20))
    await calls.data('snapshot', 'import', 'zeros.bin', '--address', '$0400')
    expect(await calls.data('snapshot', 'diff', 'zeros', 'recorded')).toMatchObject({
      bytes: 3,
      unread: 14,
      differences: [
        { range: '$0400-$0401', after: '0102' },
        { range: '$0410', after: '03' },
      ],
    })
    expect((await calls.run('snapshot', 'save', 'other', '--recording', '0009_recording')).stderr).toContain('--at')
    const none = ['--recording', '0777_recording', '--at', '+1']
    expect((await calls.run('snapshot', 'save', 'other', ...none)).stderr).toContain('There is no recording')
  })

  it('is compared in a region by its name', async () => {
    await calls.data('write', '--address', '$c000', '--bytes', '55', '--bank', 'ram')
    await calls.data('snapshot', 'save', 'regions', '--replace')
    await calls.data('write', '--address', '$c000', '--bytes', 'aa', '--bank', 'ram')
    await calls.data('write', '--address', '$02', '--bytes', '77', '--bank', 'ram')
    expect(await calls.data('snapshot', 'diff', 'regions', '--range', 'upper ram')).toMatchObject({
      differences: [{ range: '$C000', before: '55', after: 'aa' }],
    })
  })

  it.each([
    ['nothing.vsf', undefined, 'There is no file nothing.vsf'],
    ['damaged.vsf', 'VICE Snapshot File\x1a', 'damaged.vsf: This is no VICE snapshot that can be read: it ends within'],
    ['renamed.bin', 'VICE Snapshot File\x1a', 'ends within its header, at byte 19'],
    ['other.vsf', 'PK', 'does not begin with “VICE Snapshot File”'],
    ['past.prg', '\xff\xffab', 'past.prg: The program is too long'],
    ['empty.prg', '', 'neither a VICE snapshot'],
  ])('is not taken from %s: the message says why', async (file, content, reason) => {
    if (content !== undefined) writeFileSync(join(calls.folder, file), content, 'latin1')
    const { stderr } = await calls.run('snapshot', 'import', file)
    expect(stderr).toContain(reason)
  })

  it('is deleted, and is then no baseline any more', async () => {
    await calls.data('snapshot', 'delete', 'before')
    expect((await calls.run('snapshot', 'diff', 'before')).stderr).toContain('There is no snapshot “before”.')
    expect((await calls.run('snapshot', 'diff', '-x')).code).toBe(2)
    expect((await calls.run('snapshot', 'save', '../x')).stderr).toContain('no name of a snapshot')
    expect((await calls.run('snapshot', 'diff', '@no:such:machine')).stderr).toContain('@builtin')
  })
})
