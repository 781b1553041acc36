/** Checks of programs from YAML files, with the built-in C64 of a bridge that ends with the call. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode, encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CommandLine } from '../support/commandLine'
import { xmlElements } from '../support/xmlElements'

let calls: CommandLine
beforeAll(() => {
  calls = new CommandLine()
})
afterAll(() => calls.remove())

const problem = z.object({
  kind: z.string(),
  where: z.string(),
  code: z.string().nullable(),
  message: z.string(),
  expected: z.string(),
  found: z.string(),
})
const answer = z.object({
  data: z.object({
    passed: z.number(),
    failed: z.number(),
    errors: z.number(),
    skipped: z.number(),
    notRun: z.number(),
    cases: z.array(
      z.object({
        file: z.string(),
        name: z.string(),
        machine: z.string(),
        outcome: z.string(),
        reason: z.string(),
        seconds: z.number(),
        problems: z.array(problem),
        files: z.array(z.string()),
      }),
    ),
  }),
})

function put(file: string, content: string | Uint8Array): string {
  const path = join(calls.folder, file)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** Runs a file of checks with these lines. */
async function check(lines: readonly string[], ...options: string[]) {
  put('a.check.yaml', lines.join('\n'))
  const { code, stdout, stderr } = await calls.run('check', 'a.check.yaml', '--json', ...options)
  return { code, stderr, ...(stdout === '' ? { data: null } : answer.parse(JSON.parse(stdout))) }
}

/** One case with a program that fills its registers and jams. */
const jammed = [
  'cases:',
  '  - name: one',
  '    assembly: |',
  '      * = $c000',
  '      start lda #$05',
  '            ldx #$06',
  '            ldy #$07',
  '            sta $0400',
  '            stx $0401',
  '            sec',
  '      end   .byte $02',
  '      words .text "hello"',
  '    steps:',
  '      - wait: { stop: true }',
]

describe('the example', () => {
  it('passes as it stands in the documents, and leaves nothing behind', async () => {
    cpSync(resolve('docs/examples'), join(calls.folder, 'examples'), { recursive: true })
    const words = ['examples/border.check.yaml', '--junit', 'results.xml', '--html', 'report.html']
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('bridgedeck-check-'))
    const { code, stdout, stderr } = await calls.run('check', ...words)
    expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ok {3}the border becomes red \(builtin\) \d+\.\d s$/m)
    expect(stdout).toMatch(/^\d passed\.$/m)
    const [suites] = xmlElements(readFileSync(join(calls.folder, 'results.xml'), 'utf8'))
    expect(suites?.attributes).toMatchObject({ failures: '0', errors: '0', skipped: '0' })
    expect(readFileSync(join(calls.folder, 'report.html'), 'utf8')).toContain('the border becomes red')
    expect(existsSync(join(calls.folder, 'examples/check-results'))).toBe(false)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('bridgedeck-check-'))).toEqual(before)
    expect(await calls.run('bridge', 'status', '--json')).toMatchObject({
      stdout: expect.stringContaining('false') as string,
    })
  })

  it('is the one that docs/checks.md shows', () => {
    const shown = readFileSync('docs/checks.md', 'utf8')
    const example = readFileSync('docs/examples/border.check.yaml', 'utf8')
    expect(shown).toContain(example.trimEnd().split('\n').slice(1).join('\n'))
  })
})

describe('a check of the built-in C64', () => {
  it('passes where all is as expected: registers, flags, memory, conditions and cycles', async () => {
    put('bytes.bin', Uint8Array.of(5, 6))
    const { code, data } = await check([
      ...jammed,
      '    expect:',
      '      - registers: { a: 5, x: $06, y: 0x07, flags: { c: 1, z: 0 } }',
      '      - memory: { at: $0400, bytes: 05 06 }',
      '      - memory: { at: $0400, file: bytes.bin }',
      '      - memory: { at: words, text: hello }',
      '      - memory: { at: start..start+1, bytes: a9 ?? }',
      "      - condition: '@$0400 + 1 == @$0401 and PC >= start'",
      '  - name: two',
      '    assembly: |',
      // Neither interrupts nor bad lines.
      '      init sei',
      '           lda #$0b',
      '           sta $d011',
      '      loop jsr draw',
      '           jmp loop',
      '      draw nop',
      '           nop',
      '      done rts',
      '    steps: { wait: { frames: 60 } }',
      '    expect:',
      '      - cycles: { from: draw, to: done, exact: 4 }',
      '      - cycles: { subroutine: draw, exact: 10 }',
    ])
    expect(data?.cases.map(({ problems }) => problems)).toEqual([[], []])
    expect(data?.cases[0]).toMatchObject({ name: 'one', machine: 'builtin', outcome: 'passed' })
    expect(code).toBe(0)
  })

  it.each([
    ['screen: GOODBYE', { message: 'The screen does not show “GOODBYE”.', expected: 'GOODBYE' }],
    ["screen: { rows: { 0: '' , 24: LAST } }", { message: expect.stringMatching(/^Rows? .*24 differ/) as string }],
    ['screen: { lacks: READY }', { message: 'The screen shows “READY”.' }],
    ['memory: { at: $0400, bytes: 05 07 }', { expected: '$0400 05 07', found: '$0400 05 06' }],
    [
      'memory: { at: words, text: help!, code: ascii }',
      { message: expect.stringContaining('bytes of 5 differ') as string },
    ],
    [
      'registers: { a: 6, flags: { c: 0 } }',
      { message: 'A, C differ.', expected: 'A = $06\nC = 0', found: 'A = $05\nC = 1' },
    ],
    ["condition: 'A == 6'", { message: 'A == 6 is not true.' }],
  ])('fails with both sides where it is not: %s', async (expectation, mismatch) => {
    const { code, data } = await check([...jammed, `    expect: { ${expectation} }`])
    expect(code).toBe(1)
    expect(data).toMatchObject({ passed: 0, failed: 1, errors: 0 })
    expect(data?.cases[0]?.problems).toEqual([
      expect.objectContaining({
        kind: 'failed',
        where: expect.stringMatching(/^a\.check\.yaml:15: \w+$/) as string,
        ...mismatch,
      }),
    ])
  })

  it('counts too many cycles, and says where the CPU is that never comes', async () => {
    const { code, data } = await check([
      'cases:',
      '  - name: one',
      '    assembly: |',
      '      loop jsr draw',
      '           jmp loop',
      '      draw ldx #10',
      '      wait dex',
      '           bne wait',
      '           rts',
      '      never nop',
      '    expect:',
      '      - cycles: { subroutine: draw, max: 20 }',
      '      - cycles: { from: draw, to: never, max: 20, timeout: 0.2 }',
    ])
    expect(code).toBe(1)
    expect(data?.cases[0]?.problems).toMatchObject([
      { kind: 'failed', expected: 'at most 20 cycles' },
      {
        kind: 'failed',
        message: 'It did not come to never in 0.2 s.',
        found: expect.stringMatching(/^PC = \$/) as string,
      },
    ])
    // LDX #10; 10 times DEX, 9 BNE taken and one not; RTS. An interrupt or a bad line may come on top.
    const cycles = Number(/\d+/.exec(data?.cases[0]?.problems[0]?.found ?? '')?.[0])
    expect(cycles).toBeGreaterThanOrEqual(2 + 10 * 2 + 9 * 3 + 2 + 6)
  })

  it('types, holds keys and joysticks, writes, sets registers, and waits', async () => {
    const { code, data } = await check([
      'cases:',
      '  - name: typed',
      '    basic: 10 PRINT "HI"',
      '    steps:',
      '      - wait: { text: hi }',
      '      - type: \'PRINT "THERE"{return}\'',
      '      - wait: { text: there }',
      '  - name: held',
      '    assembly: |',
      '      init  sei',
      '            lda #%11111110',
      '      loop  lda $dc00',
      '            jmp loop',
      '    steps:',
      '      - run_to: loop',
      '      - joystick: { port: 2, press: [left, fire] }',
      '      - wait: { frames: 2 }',
      '      - expect: { condition: "@$dc00 & 31 == %01011" }',
      '      - joystick: { port: 2, press: [up], frames: 3 }',
      '      - expect: { condition: "@$dc00 & 31 == 31" }',
      '      - write: { at: $c000, bytes: a9 2a 02 }',
      '      - set: { pc: $c000, x: 7 }',
      '      - wait: { stop: true }',
      '      - expect: { registers: { a: $2a, x: 7 } }',
      '  - name: the one after begins anew',
      '    expect:',
      '      - memory: { at: $c000, bank: ram, bytes: "?? ??" }',
      '      - condition: "@$c000 != $a9"',
    ])
    expect(data?.cases.map(({ problems }) => problems)).toEqual([[], [], []])
    expect(code).toBe(0)
  })

  it('waits in vain for a text or a condition, and stops there', async () => {
    const { code, data } = await check([
      'cases:',
      '  - name: text',
      '    steps:',
      '      - wait: { text: never shown, timeout: 0.5 }',
      '      - wait: { text: nor that, timeout: 0.5 }',
      '    expect: { screen: not looked at }',
      '  - name: condition',
      "    steps: { wait: { until: '@$0400 == 300', timeout: 0.5 } }",
      '  - name: jam',
      '    assembly: .byte 2',
      '    steps: { wait: { text: never shown, timeout: 20 } }',
    ])
    expect(code).toBe(1)
    expect(data?.cases.map(({ problems }) => problems.map(({ message }) => message))).toEqual([
      ['The screen did not show “never shown” in 0.5 s.'],
      ['@$0400 == 300 did not become true in 0.5 s.'],
      [expect.stringMatching(/^The screen did not show “never shown” in 20 s\. .*halts a 6510/)],
    ])
    expect(data?.cases[0]?.problems[0]?.found).toContain('READY.')
  })

  it('takes what the machine cannot do for an error, unless the case is for others', async () => {
    put('disk.d64', new Uint8Array(174_848))
    const lines = (machines: string) => [
      'cases:',
      '  - name: disk',
      ...(machines === '' ? [] : [`    machines: ${machines}`]),
      '    program: disk.d64',
      '    expect: { screen: A }',
      '  - name: other',
      '    expect: { screen: READY. }',
    ]
    const refused = await check(lines(''))
    expect(refused).toMatchObject({ code: 4, data: { passed: 1, errors: 1 } })
    expect(refused.data?.cases[0]?.problems).toMatchObject([{ kind: 'error', code: 'UNSUPPORTED' }])
    expect(await check(lines('vice'))).toMatchObject({
      code: 0,
      data: { passed: 1, errors: 0, skipped: 1, cases: [{ outcome: 'skipped', reason: 'It is for vice only.' }, {}] },
    })
    expect(await check(lines('vice'), '--only', 'disk')).toMatchObject({ code: 1, data: { passed: 0, skipped: 1 } })
  })

  it('says of a machine that does not answer that none of its cases ran, and ends with its code', async () => {
    const { code, data } = await check(['cases:', '  - name: one', '    expect: { screen: A }'], '--machine', 'vice:1')
    expect(code).toBe(3)
    expect(data?.cases).toMatchObject([{ machine: 'vice:1', outcome: 'error', problems: [{ code: 'UNREACHABLE' }] }])
  })

  it('ends a case that takes too long', async () => {
    const { code, data } = await check([
      'cases:',
      '  - name: one',
      '    timeout: 0.5',
      '    assembly: "loop jmp loop"',
      '    steps: { run_to: { place: $c000, timeout: 3000 } }',
      '  - name: two',
      '    expect: { screen: READY. }',
    ])
    expect(code).toBe(5)
    expect(data?.cases).toMatchObject([{ outcome: 'error', problems: [{ code: 'TIMEOUT' }] }, { outcome: 'passed' }])
  })
})

describe('a picture', () => {
  const lines = (file: string, more = '') => [
    'cases:',
    '  - name: blue',
    '    assembly: |',
    '      lda #6',
    '      sta $d020',
    '      loop jmp loop',
    '    steps: { run_to: loop }',
    `    expect: { picture: { file: ${file}${more} } }`,
  ]

  it('is saved with --update, and compared from then on', async () => {
    expect(await check(lines('new.png'))).toMatchObject({
      code: 1,
      data: { cases: [{ problems: [{ message: 'There is no new.png yet: --update saves it.' }] }] },
    })
    expect(await check(lines('new.png'), '--update')).toMatchObject({ code: 0 })
    expect(await check(lines('new.png'))).toMatchObject({ code: 0 })
    const path = join(calls.folder, 'new.png')
    const before = readFileSync(path)
    expect(await check(lines('new.png'), '--update')).toMatchObject({ code: 0 })
    expect(readFileSync(path)).toEqual(before)
  })

  it('that differs fails with an image of what does, unless it is masked or tolerated', async () => {
    await check(lines('spot.png'), '--update')
    const path = join(calls.folder, 'spot.png')
    const { width, height, data: pixels } = decode(readFileSync(path))
    for (let pixel = 0; pixel < 10; pixel++) pixels[pixel * 4] = (pixels[pixel * 4] ?? 0) ^ 0x08
    writeFileSync(path, encode({ width, height, data: pixels, channels: 4 }))
    const { code, data } = await check(lines('spot.png'), '--html', 'report.html')
    expect(code).toBe(1)
    expect(data?.cases[0]?.problems).toMatchObject([{ message: '10 pixels of the picture differ from spot.png.' }])
    const files = data?.cases[0]?.files ?? []
    expect(files.map((file) => file.slice(calls.folder.length + 1))).toEqual([
      'check-results/blue-builtin-spot-actual.png',
      'check-results/blue-builtin-spot-difference.png',
    ])
    const difference = decode(readFileSync(files[1] ?? ''))
    expect([...difference.data.subarray(0, 4)]).toEqual([0xff, 0x20, 0x20, 0xff])
    expect(readFileSync(join(calls.folder, 'report.html'), 'utf8').match(/data:image\/png/g)).toHaveLength(3)
    expect(await check(lines('spot.png', ', pixels: 10'))).toMatchObject({ code: 0 })
    expect(await check(lines('spot.png', ', tolerance: 8'))).toMatchObject({ code: 0 })
    expect(await check(lines('spot.png', ', masks: { x: 0, y: 0, width: 10, height: 1 }'))).toMatchObject({ code: 0 })
    expect(await check(lines('spot.png', ', pixels: 9, tolerance: 7'))).toMatchObject({ code: 1 })
  })

  it('of another size, too large, or that is none is refused', async () => {
    writeFileSync(
      join(calls.folder, 'small.png'),
      encode({ width: 2, height: 2, data: new Uint8Array(16), channels: 4 }),
    )
    writeFileSync(
      join(calls.folder, 'huge.png'),
      encode({ width: 5000, height: 2, data: new Uint8Array(40_000), channels: 4 }),
    )
    put('text.png', 'no picture')
    const said = async (file: string) => (await check(lines(file))).data?.cases[0]?.problems[0]?.message
    expect(await said('small.png')).toBe('small.png has another size than the picture of the machine.')
    expect(await said('huge.png')).toContain('5000 x 2')
    expect(await said('text.png')).toContain('no PNG file')
  })

  it('is saved by a step, below check-results', async () => {
    const { data } = await check([
      'cases:',
      '  - name: shot',
      '    steps:',
      '      - screenshot: ../now.png',
      '      - expect: { screen: READY. }',
    ])
    expect(data?.cases[0]?.files).toEqual([join(calls.folder, 'check-results/shot-builtin-now.png')])
    expect(decode(readFileSync(data?.cases[0]?.files[0] ?? ''))).toMatchObject({ width: 384 })
  })
})

describe('files of a plan', () => {
  it('are not written where a link leads out of the folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'bridgedeck-outside-'))
    const lines = [
      'cases:',
      '  - name: shot',
      '    steps:',
      '      - screenshot: a.png',
      '      - expect: { screen: READY. }',
    ]
    const path = put('linked/b.check.yaml', lines.join('\n'))
    symlinkSync(outside, join(calls.folder, 'linked/check-results'))
    symlinkSync(join(outside, 'new.png'), join(calls.folder, 'linked/new.png'))
    const { code, stdout } = await calls.run('check', path)
    expect(code).toBe(8)
    expect(stdout).toContain('check-results/shot-builtin-a.png is not inside the folder')
    put('linked/c.check.yaml', 'cases: [{ name: a, expect: { picture: new.png } }]')
    expect(await calls.run('check', 'linked/c.check.yaml', '--update')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/c\.check\.yaml:1: .*new\.png/) as string,
    })
    expect(readdirSync(outside)).toEqual([])
  })

  const program = (file: string) => ['cases:', '  - name: one', `    program: ${file}`, '    expect: { screen: A }']

  it('are in its folder: others are refused before a machine is touched', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'bridgedeck-outside-'))
    writeFileSync(join(outside, 'game.prg'), Uint8Array.of(1, 8, 0))
    symlinkSync(outside, join(calls.folder, 'link'))
    for (const file of [
      '../game.prg',
      'link/game.prg',
      join(outside, 'game.prg'),
      'sub/../../game.prg',
      '"a\\0b.prg"',
      '.',
    ]) {
      const { code, stderr, data } = await check(program(file))
      expect({ file, code, data }).toEqual({ file, code: 1, data: null })
      expect(stderr).toMatch(/a\.check\.yaml:2: .*(not inside the folder|must be|no file|is a folder)/)
    }
  })

  it('are all named that are not there, with wrong lines of source', async () => {
    put('bad.asm', ' nop\n bogus #1\n')
    const { code, stderr } = await check([
      'cases:',
      '  - { name: a, program: no.prg, expect: { screen: A } }',
      '  - { name: b, program: bad.asm, expect: { screen: A } }',
      '  - { name: c, expect: { memory: { at: 0, file: no.bin } } }',
      '  - name: d',
      '    assembly: |',
      '      nop',
      '      bogus #1',
      '    expect: { screen: A }',
    ])
    expect(code).toBe(1)
    const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(JSON.parse(stderr))
    expect(error.message.split('\n')).toEqual([
      'a.check.yaml:2: There is no file no.prg. Paths start at the folder of the checks.',
      expect.stringMatching(/^bad\.asm:2: /),
      'a.check.yaml:4: There is no file no.bin. Paths start at the folder of the checks.',
      expect.stringMatching(/^a\.check\.yaml:8: /),
    ])
  })

  it('that are wrong are told of all plans at once, each in its place', async () => {
    put('b.check.yaml', 'cases: 1')
    put('c.check.yaml', 'case: []')
    const { code, stderr } = await calls.run('check', 'b.check.yaml', 'c.check.yaml', 'd.check.yaml')
    expect(code).toBe(1)
    expect(stderr).toContain('b.check.yaml:1:8: cases: expected a list of cases, not 1.')
    expect(stderr).toContain('c.check.yaml:1:1: there is no "case" here. Did you mean cases?')
    expect(stderr).toContain('There is no file d.check.yaml.')
  })
})

describe('the call', () => {
  it('runs the cases that --only names, and suggests one for a name that is none', async () => {
    const lines = [
      'cases:',
      '  - { name: first, expect: { screen: READY. } }',
      '  - { name: second, expect: { screen: NO } }',
    ]
    expect(await check(lines, '--only', 'first')).toMatchObject({ code: 0, data: { passed: 1, failed: 0 } })
    const { code, stderr } = await check(lines, '--only', 'frist')
    expect(code).toBe(7)
    expect(stderr).toContain('There is no case “frist”. Did you mean first?')
    expect(await calls.run('check')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('FILE is missing') as string,
    })
  })

  it('stops at Ctrl+C, writes its reports, and says what was not run', async () => {
    put(
      'long.check.yaml',
      [
        'cases:',
        '  - { name: first, expect: { screen: READY. } }',
        '  - name: endless',
        '    assembly: "loop jmp loop"',
        '    steps: { run_to: { place: $c000, timeout: 3000 } }',
        '  - { name: last, expect: { screen: READY. } }',
      ].join('\n'),
    )
    const call = calls.start('check', 'long.check.yaml', '--junit', 'cut.xml')
    await expect.poll(call.output).toContain('ok   first')
    call.interrupt()
    const { code, stdout } = await call.ended
    expect(code).toBe(130)
    expect(stdout).toContain('Not run: endless (builtin), last (builtin).')
    const elements = xmlElements(readFileSync(join(calls.folder, 'cut.xml'), 'utf8'))
    expect(elements[0]?.attributes).toMatchObject({ tests: '3', skipped: '2' })
  })

  it('escapes what the terminal would execute', async () => {
    const { stdout } = await (async () => {
      put('e.check.yaml', 'cases:\n  - name: "\\u202e<script>"\n    expect: { screen: "\\u001b[2J" }\n')
      return await calls.run('check', 'e.check.yaml')
    })()
    expect(stdout).not.toMatch(/[\u001b\u202e]/)
  })
})
