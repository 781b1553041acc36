/** The page of every widget in every state: what axe finds there, where the keyboard's ring is seen, and which scripts show. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems } from './support'

let running: RunningApp
let folder: string
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-gallery-'))
  environment = installFont(folder)
  running = await launchApp({ args: ['--view=gallery'], environment })
  await running.page.getByRole('heading', { name: 'Buttons' }).waitFor()
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Adds a font of the Ethiopic script to those of the system. @returns what makes a program find it */
function installFont(folder: string): NodeJS.ProcessEnv {
  const fonts = resolve('node_modules/@fontsource/noto-sans-ethiopic/files')
  cpSync(join(fonts, 'noto-sans-ethiopic-ethiopic-400-normal.woff'), join(folder, 'ethiopic.woff'))
  const settings = join(folder, 'fonts.conf')
  writeFileSync(
    settings,
    `<fontconfig>
      <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
      <dir>${folder}</dir><cachedir>${folder}/cache</cachedir>
    </fontconfig>`,
  )
  return { FONTCONFIG_FILE: settings }
}

const ethiopic = 'ሀ'

/** One of each; fonts differ in what they have. */
const letters = ['A', ethiopic, 'ß', 'ж', 'Ω', 'א', 'ش', 'Ա', 'ა', 'ह', 'ก', '中', 'か', '한', '✓', '→', '█']

/** Whether the system has a font with this letter; undefined where it cannot be asked. */
function systemHas(letter: string): boolean | undefined {
  try {
    return (
      execFileSync('fc-list', [`:charset=${letter.codePointAt(0)?.toString(16) ?? ''}`], {
        encoding: 'utf8',
        env: { ...process.env, ...environment },
      }) !== ''
    )
  } catch {
    return undefined
  }
}

describe.skipIf(lacks('electron', 'xvfb'))('the gallery', () => {
  it.each(['light', 'dark'])('has nothing for axe to find in the %s theme', async (theme) => {
    const { page } = running
    await page.evaluate((name) => void (document.documentElement.dataset['theme'] = name), theme)
    expect(await axeProblems(page)).toEqual([])
  })

  it('shows the keyboard’s ring all around a list whose first row is chosen, also after it was scrolled', async () => {
    const { page } = running
    const list = page.getByRole('listbox', { name: 'Recordings' })
    await list.press('Home')
    await ringIsWhole()
    await list.press('End')
    await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
    await ringIsWhole()

    async function ringIsWhole(): Promise<void> {
      const accent = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'))
      await expect
        .poll(async () => {
          const { data, width, height, channels } = decode(await list.screenshot())
          const at = (x: number, y: number) =>
            `#${[0, 1, 2].map((of) => data[(y * width + x) * channels + of]?.toString(16).padStart(2, '0')).join('')}`
          const [middle, half] = [Math.floor(width / 2), Math.floor(height / 2)]
          return [at(middle, 0), at(middle, 1), at(0, half), at(1, half), at(middle, height - 1)]
        })
        .toEqual(Array(5).fill(accent))
    }
  })

  it.each(['--font-ui', '--font-data'])('shows each script in %s that the system has a font for', async (font) => {
    const shown = await running.page.evaluate(
      ([name, wanted]) => {
        const family = getComputedStyle(document.documentElement).getPropertyValue(name)
        const context = new OffscreenCanvas(48, 48).getContext('2d', { willReadFrequently: true })
        const picture = (letter: string): string => {
          if (!context) throw new Error('There is no canvas.')
          context.clearRect(0, 0, 48, 48)
          context.font = `32px ${family}`
          context.fillText(letter, 4, 36)
          return context.getImageData(0, 0, 48, 48).data.join()
        }
        // Letters that no font has look alike.
        const missing = picture('\u{3fffd}')
        return wanted.filter((letter) => picture(letter) !== missing)
      },
      [font, letters] as const,
    )
    for (const letter of letters) if (systemHas(letter) === true) expect(shown).toContain(letter)
    expect(shown).toEqual(expect.arrayContaining(['A', ethiopic]))
  })
})
