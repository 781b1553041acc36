/** `graphics compare` from outside: exit codes, what it prints, and the report. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rgbaPng } from '../../src-main/files/png'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
beforeAll(() => {
  calls = new CommandLine()
  const filled = (value: number, other = value) => {
    const rgba = new Uint8Array(40 * 20 * 4).fill(value)
    rgba.fill(other, 0, 8)
    return rgbaPng({ width: 40, height: 20, rgba })
  }
  for (const [name, png] of Object.entries({ a: filled(100), b: filled(100, 120), bad: new Uint8Array(8) }))
    writeFileSync(join(calls.folder, `${name}.png`), png)
})
afterAll(() => calls.remove())

const compare = (...words: string[]) => calls.run('graphics', 'compare', ...words)

describe('graphics compare', () => {
  it('ends with 0 where pictures are the same, and with 1 where they differ', async () => {
    expect(await compare('a.png', 'a.png')).toMatchObject({ code: 0 })
    const { code, stdout } = await compare('a.png', 'b.png')
    expect(code).toBe(1)
    expect(stdout).toContain('2 pixels differ, by 20 at most, within 2x1+0+0.')
  })

  it('heeds tolerance, masks and how many pixels may differ', async () => {
    expect(await compare('a.png', 'b.png', '--tolerance', '20')).toMatchObject({ code: 0 })
    expect(await compare('a.png', 'b.png', '--mask', '2x1')).toMatchObject({ code: 0 })
    expect(await compare('a.png', 'b.png', '--mask', '1x1')).toMatchObject({ code: 1 })
    expect(await compare('a.png', 'b.png', '--pixels', '2')).toMatchObject({ code: 0 })
  })

  it('saves the first picture where there is none to compare with yet, but only where it is told to', async () => {
    expect((await compare('new.png', 'a.png')).stderr).toContain('There is no file new.png')
    const { code, stdout } = await compare('new.png', 'a.png', '--save', 'new.png', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ data: { same: null, pixels: null } })
    expect(await compare('new.png', 'a.png', '--save', 'new.png')).toMatchObject({ code: 0 })
    expect(await compare('new.png', 'b.png')).toMatchObject({ code: 1 })
  })

  it('writes a report that runs nothing and loads nothing', async () => {
    await compare('a.png', 'b.png', '--html', 'report.html')
    const report = readFileSync(join(calls.folder, 'report.html'), 'utf8')
    expect(report).toContain("default-src 'none'")
    expect(report).not.toMatch(/<script|https?:|\son\w+=/)
    expect(report.match(/data:image\/png;base64,/g)).toHaveLength(5)
  })

  it('says what is no picture', async () => {
    const { code, stderr } = await compare('bad.png', 'a.png')
    expect(code).toBe(1)
    expect(stderr).toContain('no PNG file')
    expect((await compare('a.png', 'b.png', '--mask', 'all')).stderr).toContain('no part of a picture')
  })
})
