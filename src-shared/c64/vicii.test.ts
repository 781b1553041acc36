import { describe, expect, it } from 'vitest'
import { PICTURE_WIDTH, displayY, unpackPixels } from './picture'
import { renderPicture, type RenderedScene } from './vicii'

const SCREEN = 0x0400
const BITMAP = 0x2000
/** $D018 for the screen at $0400 and the character generator at $2000 (so is a bitmap). */
const POINTERS = 0x18

interface Setup {
  registers?: Readonly<Record<number, number>>
  ram?: Readonly<Record<number, readonly number[]>>
  colorRam?: readonly number[]
  characterRom?: Readonly<Record<number, readonly number[]>>
  bank?: number
  standard?: 'pal' | 'ntsc'
}

/** A frame with 25 rows, 40 columns, border colour 14, background colour 6, unless the setup says otherwise. */
function render(
  setup: Setup,
): RenderedScene & { row(y: number, x?: number, width?: number): string; pixel(x: number, y: number): number } {
  const registers = new Uint8Array(0x40)
  const standard = setup.standard ?? 'pal'
  for (const [register, value] of Object.entries({
    0x11: 0x1b,
    0x16: 0x08,
    0x18: POINTERS,
    0x20: 14,
    0x21: 6,
    ...setup.registers,
  })) {
    registers[Number(register)] = value
  }
  const ram = new Uint8Array(0x10000)
  for (const [address, bytes] of Object.entries(setup.ram ?? {})) ram.set(bytes, Number(address))
  const characterRom = new Uint8Array(0x1000)
  for (const [address, bytes] of Object.entries(setup.characterRom ?? {})) characterRom.set(bytes, Number(address))
  const colorRam = new Uint8Array(0x400)
  colorRam.set(setup.colorRam ?? [])
  const scene = renderPicture({ registers, ram, characterRom, colorRam, bank: setup.bank ?? 0, standard })
  const pixels = unpackPixels(scene.picture.pixels)
  const pixel = (x: number, y: number) => pixels[(displayY(standard) + y) * PICTURE_WIDTH + 32 + x] ?? -1
  return {
    ...scene,
    pixel,
    /** Pixels of the display window from its line `y`, one hexadecimal digit each. */
    row: (y, x = 0, width = 8) =>
      Array.from({ length: width }, (_, index) => pixel(x + index, y).toString(16)).join(''),
  }
}

describe('text modes', () => {
  it('standard text shows set bits in the colour of colour RAM on $D021', () => {
    const scene = render({
      ram: { [SCREEN]: [1, 2], [BITMAP + 8]: [0b10100001], [BITMAP + 23]: [0xff] },
      colorRam: [0xf1, 7],
    })
    expect(scene.row(0, 0, 16)).toBe('1616666166666666')
    expect(scene.row(7, 0, 16)).toBe('6666666677777777')
  })

  it('multicolour text is multicolour only where colour RAM has bit 3', () => {
    const scene = render({
      registers: { 0x16: 0x18, 0x22: 2, 0x23: 5 },
      ram: { [SCREEN]: [0, 0], [BITMAP]: [0b00011011] },
      colorRam: [8 + 7, 7],
    })
    expect(scene.row(0, 0, 16)).toBe('6622557766677677')
  })

  it('extended colour text takes the background from bits 6 and 7 of the screen code and the glyph from the others', () => {
    const scene = render({
      registers: { 0x11: 0x5b, 0x22: 2, 0x23: 3, 0x24: 4 },
      ram: { [SCREEN]: [0x01, 0x41, 0x81, 0xc1], [BITMAP + 8]: [0xf0] },
      colorRam: [1, 1, 1, 1],
    })
    expect(scene.row(0, 0, 32)).toBe('11116666111122221111333311114444')
  })

  it('the character ROM is seen at $1000 in banks 0 and 2, and RAM there in banks 1 and 3', () => {
    const setup = { registers: { 0x18: 0x14 }, characterRom: { 8: [0xff] }, colorRam: [1] }
    for (const bank of [0, 2])
      expect(render({ ...setup, bank, ram: { [bank * 0x4000 + SCREEN]: [1] } }).row(0)).toBe('11111111')
    for (const bank of [1, 3]) {
      const ram = { [bank * 0x4000 + SCREEN]: [1], [bank * 0x4000 + 0x1008]: [0x0f] }
      expect(render({ ...setup, bank, ram }).row(0)).toBe('66661111')
    }
  })
})

describe('bitmap modes', () => {
  it('standard bitmap takes both colours from the screen', () => {
    const scene = render({
      registers: { 0x11: 0x3b },
      ram: { [SCREEN]: [0x2a, 0x31], [BITMAP]: [0xf0], [BITMAP + 15]: [0x01] },
    })
    expect(scene.row(0, 0, 16)).toBe('2222aaaa11111111')
    expect(scene.row(7, 8)).toBe('11111113')
  })

  it('multicolour bitmap adds $D021 and colour RAM', () => {
    const scene = render({
      registers: { 0x11: 0x3b, 0x16: 0x18 },
      ram: { [SCREEN]: [0x2a], [BITMAP]: [0b00011011] },
      colorRam: [0x5],
    })
    expect(scene.row(0)).toBe('6622aa55')
  })

  it('the second character row of a bitmap is 320 bytes on', () => {
    const scene = render({ registers: { 0x11: 0x3b }, ram: { [SCREEN + 40]: [0x10], [BITMAP + 320]: [0xff] } })
    expect(scene.row(8)).toBe('11111111')
    expect(scene.row(7)).toBe('00000000')
  })
})

describe('invalid modes', () => {
  it.each([
    [0x5b, 0x18],
    [0x7b, 0x08],
    [0x7b, 0x18],
  ])('$D011 = %i with $D016 = %i is black', (control1, control2) => {
    const ram = { [SCREEN]: [0x12], [BITMAP]: [0xff, 0xff], [BITMAP + 0x12 * 8]: [0xff] }
    expect(render({ registers: { 0x11: control1, 0x16: control2 }, ram, colorRam: [15] }).row(0)).toBe('00000000')
  })

  it('still collides with sprites', () => {
    const sprite = { [SCREEN + 0x3f8]: [13], [13 * 64]: [0x80] }
    const registers = { 0x11: 0x7b, 0x15: 1, 0x00: 24, 0x01: 50 }
    expect(render({ registers, ram: { ...sprite, [BITMAP]: [0x80] } }).backgroundCollisions).toBe(1)
    expect(render({ registers, ram: { ...sprite, [BITMAP]: [0x40] } }).backgroundCollisions).toBe(0)
  })
})

describe('the display window', () => {
  const ram = { [SCREEN]: Array<number>(1000).fill(1), [BITMAP + 8]: Array<number>(8).fill(0xff) }
  const colorRam = Array<number>(1000).fill(1)

  it('is 320 x 200 within the border', () => {
    const scene = render({ ram, colorRam })
    for (const [x, y] of [
      [0, 0],
      [319, 0],
      [0, 199],
      [319, 199],
    ] as const)
      expect(scene.pixel(x, y)).toBe(1)
    for (const [x, y] of [
      [-1, 0],
      [320, 0],
      [0, -1],
      [0, 200],
    ] as const)
      expect(scene.pixel(x, y)).toBe(14)
  })

  it('has the same place in NTSC', () => {
    const scene = render({ ram, colorRam, standard: 'ntsc' })
    expect(scene.picture.height).toBe(247)
    expect([scene.pixel(0, 0), scene.pixel(0, 199), scene.pixel(0, -1), scene.pixel(0, 219)]).toEqual([1, 1, 14, 14])
  })

  it('is 7 and 9 pixels narrower with 38 columns and 4 lines less at each end with 24 rows', () => {
    const scene = render({ ram, colorRam, registers: { 0x11: 0x13, 0x16: 0 } })
    expect([scene.pixel(6, 100), scene.pixel(7, 100), scene.pixel(310, 100), scene.pixel(311, 100)]).toEqual([
      14, 1, 1, 14,
    ])
    expect([scene.pixel(100, 3), scene.pixel(100, 4), scene.pixel(100, 195), scene.pixel(100, 196)]).toEqual([
      14, 1, 1, 14,
    ])
  })

  it('is all border while DEN is clear', () => {
    expect(render({ ram, colorRam, registers: { 0x11: 0x0b } }).pixel(100, 100)).toBe(14)
  })

  it('XSCROLL moves the graphics to the right', () => {
    const scene = render({ registers: { 0x16: 0x08 | 5 }, ram: { [SCREEN]: [1], [BITMAP + 8]: [0xff] }, colorRam: [1] })
    expect(scene.row(0, 0, 16)).toBe('6666611111111666')
  })

  it('what XSCROLL leaves free in the first line takes the background of the frame before', () => {
    const ram = { [SCREEN]: new Array<number>(1000).fill(0x15), 0x3fff: [0x00] }
    expect(render({ registers: { 0x11: 0x3b, 0x16: 0x0c }, ram }).row(0)).toBe('55555555')
  })

  it('what XSCROLL leaves free takes the background of the cell at the right end of the line before', () => {
    const screen = Array.from({ length: 1000 }, (_, index) => (index % 40 === 39 ? 0xc5 : 0x02))
    const bitmap = render({ registers: { 0x11: 0x3b, 0x16: 0x0a }, ram: { [SCREEN]: screen } })
    expect(bitmap.row(9)).toBe('55222222')
    const extended = render({
      registers: { 0x11: 0x5b, 0x16: 0x0a, 0x23: 3 },
      ram: { [SCREEN]: screen.map((code) => code & 0xbf) },
    })
    expect(extended.row(9)).toBe('33666666')
  })

  it('YSCROLL moves the graphics down from the top of 24 rows, and shows the idle byte above and below', () => {
    const scene = render({ ram: { ...ram, 0x3fff: [0x81] }, colorRam, registers: { 0x11: 0x1f } })
    expect([scene.row(3), scene.row(4)]).toEqual(['06666660', '11111111'])
    const higher = render({ ram: { ...ram, 0x3fff: [0x81] }, colorRam, registers: { 0x11: 0x18 } })
    expect([higher.row(196), higher.row(197)]).toEqual(['11111111', '06666660'])
  })

  it('the idle byte is at $39FF with extended colours', () => {
    const scene = render({ ram: { ...ram, 0x39ff: [0x81], 0x3fff: [0xff] }, colorRam, registers: { 0x11: 0x5f } })
    expect(scene.row(3)).toBe('06666660')
  })
})

/** A sprite with one row of data, its first pixel at the display window's first pixel unless moved. */
function sprites(setup: Setup, ...rows: readonly (readonly number[])[]) {
  const pointers = rows.map((_, index) => 0x30 + index)
  const data = Object.fromEntries(rows.map((row, index) => [(0x30 + index) * 64, row]))
  const places = Object.fromEntries(
    rows.flatMap((_, index) => [[2 * index, 24] as const, [2 * index + 1, 50] as const]),
  )
  const colors = Object.fromEntries(rows.map((_, index) => [0x27 + index, index + 1]))
  return render({
    ...setup,
    ram: { [SCREEN + 0x3f8]: pointers, ...data, ...setup.ram },
    registers: { 0x15: (1 << rows.length) - 1, ...places, ...colors, ...setup.registers },
  })
}

describe('sprites', () => {
  it('show the last row of one that began before the top of an NTSC picture, in the first line of the window', () => {
    const scene = render({
      standard: 'ntsc',
      registers: { 0x00: 24, 0x01: 9, 0x15: 1, 0x17: 1, 0x27: 1 },
      ram: { [SCREEN + 0x3f8]: [0x20], 0x800: Array<number>(63).fill(0xff) },
    })
    expect([scene.row(0), scene.row(1)]).toEqual(['11111111', '66666666'])
  })

  it('a hires sprite at (24, 50) starts at the first pixel of the window, in its own colour', () => {
    const scene = sprites({}, [0xa0, 0x00, 0x01, 0x80])
    expect(scene.row(0, 0, 26)).toBe('16166666666666666666666166')
    expect(scene.row(1, 0, 3)).toBe('166')
    expect(scene.row(2, 0, 3)).toBe('666')
  })

  it('a multicolour sprite has double pixels: 01 is $D025, 10 its own colour, 11 $D026', () => {
    expect(sprites({ registers: { 0x1c: 1, 0x25: 8, 0x26: 9 } }, [0b00011011]).row(0)).toBe('66881199')
  })

  it('is expanded in either direction', () => {
    const scene = sprites({ registers: { 0x17: 1, 0x1d: 1 } }, [0x40, 0, 0, 0x80])
    expect([0, 1, 2, 3, 4].map((y) => scene.row(y, 0, 4))).toEqual(['6611', '6611', '1166', '1166', '6666'])
    const multicolor = sprites({ registers: { 0x1c: 1, 0x1d: 1 } }, [0x80])
    expect(multicolor.row(0)).toBe('11116666')
  })

  it('has 21 rows, and 42 lines when expanded', () => {
    const rows = Array.from({ length: 63 }, (_, index) => (index % 3 === 0 ? 0x80 : 0))
    expect([20, 21].map((y) => sprites({}, rows).pixel(0, y))).toEqual([1, 6])
    expect([41, 42].map((y) => sprites({ registers: { 0x17: 1 } }, rows).pixel(0, y))).toEqual([1, 6])
  })

  it('X has nine bits, and wraps into the left border', () => {
    expect(sprites({ registers: { 0x00: 0x10, 0x10: 1 } }, [0x80]).pixel(0x110 - 24, 0)).toBe(1)
    // At X = 503, the last of a PAL line, the second pixel is at X = 0, under the left border.
    expect(sprites({ registers: { 0x00: 0xf7, 0x10: 1, 0x1d: 1 } }, [0, 0, 0xff]).pixel(10, 0)).toBe(1)
    expect(sprites({ registers: { 0x00: 0xf8, 0x10: 1, 0x1d: 1 } }, [0, 0, 0xff]).pixel(10, 0)).toBe(6)
  })

  it('the lower number is in front', () => {
    expect(sprites({}, [0xc0], [0xa0]).row(0, 0, 4)).toBe('1126')
  })

  it('stands behind the foreground with its priority bit, in front of it without', () => {
    const text = { ram: { [SCREEN]: [1], [BITMAP + 8]: [0xaa] }, colorRam: [13] }
    expect(sprites(text, [0xc0]).row(0, 0, 4)).toBe('11d6')
    expect(sprites({ ...text, registers: { 0x1b: 1 } }, [0xc0]).row(0, 0, 4)).toBe('d1d6')
  })

  it('pair 01 of multicolour graphics is no foreground, 10 and 11 are', () => {
    const text = { ram: { [SCREEN]: [1], [BITMAP + 8]: [0b00011011] }, colorRam: [8 + 7] }
    const scene = sprites({ ...text, registers: { 0x16: 0x18, 0x22: 2, 0x23: 5, 0x1b: 1 } }, [0xff])
    expect(scene.row(0)).toBe('11115577')
  })

  it('a sprite in front that hides behind the foreground also hides those behind it', () => {
    const text = { ram: { [SCREEN]: [1], [BITMAP + 8]: [0x80] }, colorRam: [13] }
    expect(sprites({ ...text, registers: { 0x1b: 1 } }, [0x80], [0x80]).row(0, 0, 2)).toBe('d6')
  })

  it('is hidden by the border', () => {
    expect(sprites({ registers: { 0x00: 23 } }, [0xff]).row(0, -1, 3)).toBe('e11')
  })

  it('notes which sprites touched each other and the foreground', () => {
    const scene = sprites(
      { registers: { 0x04: 100 }, ram: { [SCREEN]: [1], [BITMAP + 8]: [0x40] } },
      [0xc0],
      [0x80],
      [0xff],
    )
    expect(scene.spriteCollisions).toBe(0b011)
    expect(scene.backgroundCollisions).toBe(0b001)
  })

  it('notes collisions of sprites under the border, but transparent pixels touch nothing', () => {
    expect(sprites({ registers: { 0x01: 20, 0x03: 20 } }, [0x80], [0x80]).spriteCollisions).toBe(0b11)
    expect(sprites({}, [0x80], [0x40]).spriteCollisions).toBe(0)
  })
})
