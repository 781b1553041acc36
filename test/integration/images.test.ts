/** Our own C64 images at work in the built-in C64: boot ROM, prompt, keyboard, screen editor, demo. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { C64Key } from '@shared/c64/keyboardMatrix'
import { textToPetscii } from '@shared/c64/petscii'
import { screenCodeToText } from '@shared/c64/screenCodes'
import { bootToPrompt, startProgram } from '../../src-main/machine/builtin/autostart'
import { C64, timings } from '../../src-main/machine/builtin/c64'
import { demo, readRoms } from '../support/ownRoms'

const COLUMNS = 40
const FRAMES_PER_KEY = 3

beforeAll(() => {
  execFileSync(process.execPath, [resolve('scripts/assemble.mjs')])
})

function boot(standard: 'pal' | 'ntsc' = 'pal'): C64 {
  const machine = new C64(readRoms(), standard)
  expect(bootToPrompt(machine)).toBe(true)
  return machine
}

function runFrames(machine: C64, count: number): void {
  for (let frame = 0; frame < count; frame++) machine.runFrame()
}

/** The text screen at $0400, a string a row; reversed characters, as under the cursor, like plain ones. */
function rows(machine: C64): string[] {
  const codes = machine.space.ram.subarray(0x0400, 0x0400 + 1000)
  const text = Array.from(codes, (code) => screenCodeToText(code & 0x7f, 'upper'))
  return Array.from({ length: 25 }, (_, row) =>
    text
      .slice(row * COLUMNS, (row + 1) * COLUMNS)
      .join('')
      .trimEnd(),
  )
}

/** Types a line and gives the rows that it adds to the screen before the next READY. */
function enter(machine: C64, line: string): string[] {
  machine.input.type([0x93, ...textToPetscii(`${line}\n`)])
  for (let frame = 0; frame < 300 && (machine.input.typing.length > 0 || !machine.atPrompt); frame++) machine.runFrame()
  runFrames(machine, 2)
  const screen = rows(machine)
  const end = screen.lastIndexOf('READY.')
  return screen.slice(1, end === -1 ? 25 : end).filter((row) => row !== '')
}

/** Presses keys together on the matrix, long enough for one scan, and lets them go. */
function press(machine: C64, ...keys: C64Key[]): void {
  machine.input.setKeys(keys)
  runFrames(machine, FRAMES_PER_KEY)
  machine.input.setKeys([])
  runFrames(machine, FRAMES_PER_KEY)
}

/** Puts a program into RAM that was written by hand. */
function poke(machine: C64, address: number, ...bytes: number[]): void {
  machine.space.ram.set(bytes, address)
}

let machine: C64

describe('the boot ROM', () => {
  it.each(['pal', 'ntsc'] as const)(
    'is at its prompt within 0.6 seconds of C64 time on %s and knows the standard',
    (standard) => {
      const started = boot(standard)
      expect(started.clock / timings[standard].clockRate).toBeLessThan(0.6)
      expect(started.space.ram[0x02a6]).toBe(standard === 'pal' ? 1 : 0)
      const screen = rows(started).join('\n')
      expect(screen).toContain('BRIDGEDECK C64')
      expect(screen).toContain('38911 BYTES FREE')
      expect(screen).toContain('HELP')
      expect(screen).toMatch(/\nREADY\.\n/)
    },
  )

  it('counts sixtieths of a second on both standards', () => {
    for (const standard of ['pal', 'ntsc'] as const) {
      const started = boot(standard)
      const { clockRate } = timings[standard]
      const before = started.clock
      const ticks = started.space.ram[0xa2] ?? 0
      while (started.clock - before < 2 * clockRate) started.runFrame()
      const seconds = (started.clock - before) / clockRate
      expect((((started.space.ram[0xa2] ?? 0) - ticks) & 0xff) / seconds).toBeCloseTo(60, -1)
    }
  })
})

describe('the prompt', () => {
  beforeEach(() => {
    machine = boot()
  })

  it.each([
    ['print 2+3*$1f', '95'],
    ['?(1000-24)*2', '1952'],
    ['print peek(2048);"x y"', '0X Y'],
    ['print 0', '0'],
    ['print 65535,$ffff', '65535 65535'],
    ['PRINT $C0DE', '49374'],
  ])('answers %s', (line, answer) => {
    expect(enter(machine, line)).toEqual([answer])
  })

  it.each([
    ['hello', '?NOT UNDERSTOOD - TRY HELP'],
    ['sys', '?NOT UNDERSTOOD - TRY HELP'],
    ['print (1', '?NOT UNDERSTOOD - TRY HELP'],
    ['print 65536', '?NUMBER OUT OF RANGE'],
    ['print $10000', '?NUMBER OUT OF RANGE'],
    ['poke 1024,256', '?NUMBER OUT OF RANGE'],
    ['run', '?NO PROGRAM LOADED'],
    ['10 print', '?PROGRAM LINES CANNOT BE TYPED HERE'],
    ['load "x",8', '?NO DISK OR TAPE IN THIS ROM'],
  ])('says what is wrong with %s', (line, message) => {
    expect(enter(machine, line)).toEqual([message])
  })

  it('executes several statements of a line', () => {
    expect(enter(machine, 'poke49152,42:poke2,peek($c000):?peek(2)')).toEqual(['42'])
    expect(machine.space.ram[0xc000]).toBe(42)
  })

  it('HELP names every command', () => {
    const help = enter(machine, 'help').join('\n')
    for (const command of ['RUN', 'LIST', 'NEW', 'SYS', 'POKE', 'PRINT PEEK']) expect(help).toContain(command)
  })

  it('SYS passes registers through $030C and takes them back', () => {
    poke(machine, 0xc000, 0xe8, 0xc8, 0x38, 0x60) // INX INY SEC RTS
    poke(machine, 0x030c, 7, 8, 9, 0)
    enter(machine, 'sys 49152')
    expect([...machine.space.ram.subarray(0x030c, 0x030f)]).toEqual([7, 9, 10])
    expect((machine.space.ram[0x030f] ?? 0) & 1).toBe(1)
  })

  /** Lines of tokens as BASIC keeps them at $0801. */
  function basic(...lines: { number: number; tokens: number[] }[]): number[] {
    const bytes: number[] = []
    for (const { number, tokens } of lines) {
      const next = 0x0801 + bytes.length + tokens.length + 5
      bytes.push(next & 0xff, next >> 8, number & 0xff, number >> 8, ...tokens, 0)
    }
    return [...bytes, 0, 0]
  }
  const [SYS, REM, PRINT, PEEK, PLUS, TIMES, FOR] = [0x9e, 0x8f, 0x99, 0xc2, 0xaa, 0xac, 0x81]
  const program = basic(
    { number: 10, tokens: [SYS, ...textToPetscii(' 49152:'), REM, ...textToPetscii('hi')] },
    { number: 20, tokens: [PRINT, ...textToPetscii('"a"')] },
  )
  const INC_C100_RTS = [0xee, 0x00, 0xc1, 0x60]

  it('lists a program with its keywords spelt out', () => {
    poke(machine, 0x0801, ...program)
    expect(enter(machine, 'list')).toEqual(['10 SYS 49152:REMHI', '20 PRINT"A"'])
  })

  it('runs the statements of a program, and names the line of an error', () => {
    poke(machine, 0x0801, ...program)
    poke(machine, 0xc000, ...INC_C100_RTS)
    expect(enter(machine, 'run')).toEqual(['A'])
    expect(machine.space.ram[0xc100]).toBe(1)
    poke(machine, 0x0805, FOR)
    expect(enter(machine, 'run')).toEqual(['?NOT UNDERSTOOD - TRY HELP IN LINE 10'])
    enter(machine, 'new')
    expect(enter(machine, 'run')).toEqual(['?NO PROGRAM LOADED'])
  })

  it('finds the address that a stub computes from the start of BASIC', () => {
    const peek = (address: string) => [PEEK, ...textToPetscii(`(${address})`)]
    const address = [...peek('43'), PLUS, ...textToPetscii('256'), TIMES, ...peek('44'), PLUS, ...textToPetscii('40')]
    poke(machine, 0x0801, ...basic({ number: 0, tokens: [SYS, ...address] }))
    poke(machine, 0x0801 + 40, ...INC_C100_RTS)
    enter(machine, 'run')
    expect(machine.space.ram[0xc100]).toBe(1)
  })

  it('survives BRK and a program that takes its interrupt', () => {
    poke(machine, 0xc000, 0x00)
    enter(machine, 'sys 49152')
    expect(machine.jam).toBeNull()
    expect(enter(machine, 'print 1')).toEqual(['1'])
    poke(machine, 0xc000, 0x78, 0xa9, 0x0d, 0x8d, 0x14, 0x03, 0xa9, 0xc0, 0x8d, 0x15, 0x03, 0x58, 0x60) // SEI, $0314 = $C00D, CLI
    poke(machine, 0xc00d, 0xee, 0x00, 0xc1, 0x4c, 0x31, 0xea) // INC $C100, JMP $EA31
    enter(machine, 'sys 49152')
    const before = machine.space.ram[0xc100]
    expect(enter(machine, 'print 2')).toEqual(['2'])
    expect(machine.space.ram[0xc100]).not.toBe(before)
  })
})

describe('the jump table', () => {
  beforeEach(() => {
    machine = boot()
  })

  /** Runs code at $C000 that ends with RTS, and gives A, X, Y and the carry it leaves. */
  function call(...code: number[]): { a: number; x: number; y: number; carry: number } {
    poke(machine, 0xc000, ...code, 0x60)
    enter(machine, 'sys 49152')
    const [a = 0, x = 0, y = 0, p = 0] = machine.space.ram.subarray(0x030c, 0x0310)
    return { a, x, y, carry: p & 1 }
  }
  const jsr = (address: number) => [0x20, address & 0xff, address >> 8]

  it('PLOT moves the cursor and CHROUT prints there', () => {
    call(0x18, 0xa2, 20, 0xa0, 7, ...jsr(0xfff0), 0xa9, 0x41, ...jsr(0xffd2))
    expect(machine.space.ram[0x0400 + 20 * COLUMNS + 7]).toBe(1)
  })

  it('CHROUT keeps A, X and Y', () => {
    expect(call(0xa9, 0x42, 0xa2, 3, 0xa0, 4, ...jsr(0xffd2))).toMatchObject({ a: 0x42, x: 3, y: 4, carry: 0 })
  })

  it('SCREEN tells 40 by 25', () => {
    expect(call(...jsr(0xffed))).toMatchObject({ x: 40, y: 25 })
  })

  it('GETIN gives 0 without a key', () => {
    expect(call(...jsr(0xffe4)).a).toBe(0)
  })

  it.each([
    ['LOAD', 0xffd5, 5],
    ['OPEN', 0xffc0, 5],
    ['CHKIN', 0xffc6, 3],
  ])('%s fails at once with its error number', (_, address, error) => {
    expect(call(...jsr(address))).toMatchObject({ a: error, carry: 1 })
  })

  it('MEMTOP, SETTIM and RDTIM keep what is set', () => {
    expect(call(0x38, ...jsr(0xff99))).toMatchObject({ x: 0x00, y: 0xa0 })
    expect(call(0xa9, 0, 0xa2, 2, 0xa0, 1, ...jsr(0xffdb), ...jsr(0xffde))).toMatchObject({ x: 2, y: 1 })
  })
})

describe('the keyboard', () => {
  beforeEach(() => {
    machine = boot()
    machine.input.type([0x93])
    runFrames(machine, 10)
  })

  it.each<[string, C64Key[], string]>([
    ['letters', ['a'], 'A'],
    ['digits', ['7'], '7'],
    ['signs with SHIFT', ['left_shift', '1'], '!'],
    ['graphics with SHIFT', ['right_shift', 's'], '♥'],
    ['graphics with C=', ['commodore', 'r'], '┬'],
    ['the pound', ['pound'], '£'],
  ])('types %s', (_, keys, character) => {
    press(machine, ...keys)
    expect(rows(machine)[0]).toBe(character)
  })

  it('sets colours and reverse with CTRL', () => {
    press(machine, 'ctrl', '3')
    press(machine, 'ctrl', '9')
    press(machine, 'b')
    expect(machine.colorRam[0]).toBe(2)
    expect(machine.space.ram[0x0400]).toBe(0x82)
  })

  it('changes the character set with SHIFT and C=, once per press', () => {
    press(machine, 'left_shift', 'commodore')
    expect(machine.space.read(0xd018) & 2).toBe(2)
    press(machine, 'left_shift', 'commodore')
    expect(machine.space.read(0xd018) & 2).toBe(0)
  })

  it('repeats the cursor keys but not letters', () => {
    machine.input.setKeys(['a'])
    runFrames(machine, 60)
    machine.input.setKeys([])
    runFrames(machine, 3)
    expect(rows(machine)[0]).toBe('A')
    machine.input.setKeys(['cursor_up_down'])
    runFrames(machine, 60)
    expect(machine.space.ram[0xd6]).toBeGreaterThan(3)
  })

  it('deletes, inserts, and goes home', () => {
    for (const key of ['a', 'b', 'c'] as const) press(machine, key)
    press(machine, 'inst_del')
    press(machine, 'left_shift', 'cursor_left_right')
    press(machine, 'left_shift', 'inst_del')
    press(machine, 'x')
    expect(rows(machine)[0]).toBe('AXB')
    press(machine, 'clr_home')
    expect([machine.space.ram[0xd3], machine.space.ram[0xd6]]).toEqual([0, 0])
    press(machine, 'left_shift', 'clr_home')
    expect(rows(machine)[0]).toBe('')
  })

  it('STOP with RESTORE comes back to the prompt from any program', () => {
    poke(machine, 0xc000, 0x4c, 0x00, 0xc0)
    machine.input.type(textToPetscii('sys49152\n'))
    runFrames(machine, 40)
    machine.input.setKeys(['run_stop'])
    runFrames(machine, 3)
    machine.input.setKeys(['run_stop', 'restore'])
    runFrames(machine, 30)
    machine.input.setKeys([])
    runFrames(machine, 10)
    expect(enter(machine, 'print 3')).toEqual(['3'])
  })
})

describe('the screen editor', () => {
  beforeEach(() => {
    machine = boot()
  })

  it('reads a line of two rows, and a line that was typed before', () => {
    const digits = '0123456789'.repeat(4)
    expect(enter(machine, `print "${digits}"`)).toEqual([`${digits.slice(33)}"`, digits])
    enter(machine, 'print 5')
    machine.input.type([0x13, 0x0d])
    runFrames(machine, 30)
    expect(rows(machine).filter((row) => row === '5')).toHaveLength(1)
    expect(rows(machine)[3]).toBe('READY.')
  })

  it('scrolls at the bottom', () => {
    enter(machine, 'help')
    enter(machine, 'help')
    machine.input.type(textToPetscii('help\nhelp\n'))
    runFrames(machine, 200)
    expect(rows(machine)).toHaveLength(25)
    expect(rows(machine)[23]).toBe('READY.')
  })
})

describe('the demo', () => {
  it.each(['pal', 'ntsc'] as const)(
    'runs on %s without missing a raster split, with all eight sprites on',
    (standard) => {
      machine = boot(standard)
      startProgram(machine, new Uint8Array(readFileSync(demo)))
      const counter = () => (machine.space.ram[0x22] ?? 0) | ((machine.space.ram[0x23] ?? 0) << 8)
      runFrames(machine, 100)
      const start = counter()
      runFrames(machine, 1300)
      expect(counter() - start).toBe(1300)
      expect(machine.space.read(0xd015)).toBe(0xff)
      const bitmap = machine.space.ram.subarray(0x2000, 0x4000)
      expect(bitmap.filter((byte) => byte !== 0).length).toBeGreaterThan(1000)
    },
  )
})
