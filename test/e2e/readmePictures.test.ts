/** The pictures of README and docs: they are there, sharp and small. `npm run pictures -- readme` makes them again. */
import { globSync, readFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CDPSession } from 'playwright'
import { describe, expect, it } from 'vitest'
import { pngInMemory } from '@shared/graphics/pictures/indexedPng'
import { PngWriter } from '@shared/pngWriter'
import type { RgbaImage } from '@shared/rgbaImage'
import { CommandLine } from '../support/commandLine'
import { indexed, indexedPng, readPicture } from '../support/goldenPictures'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { FRAME_MS, movingPictures, readmeScenes, type MovingPicture } from '../support/readmeScenes'
import { chooseMenuItem, settle } from './support'

const FOLDER = resolve('docs/images')
/** CSS px; each is two pixels of a picture wide and high. */
const WIDTH = 1440
const HEIGHT = 900
const SCALE = 2
/** Of a moving picture, whose pixels are CSS px. */
const MOVING_SIZE = { width: 1024, height: 640 }
const MAX_BYTES = 900 * 1024

const isMaking = process.env['BRIDGEDECK_PICTURES'] === 'readme'
const moving = movingPictures.map(({ name }) => name)
const names = [...readmeScenes.map(({ name }) => name), ...moving]
const fileOf = (name: string): string => join(FOLDER, `${name}.png`)

describe.skipIf(isMaking)('the pictures of README and docs', () => {
  it('are all shown in a text, and no others are', () => {
    const texts = ['README.md', ...globSync('docs/*.md')].map((file) => readFileSync(file, 'utf8'))
    const shown = texts.flatMap((text) => [...text.matchAll(/\]\((?:docs\/)?images\/(\w+)\.png\)/g)])
    expect([...new Set(shown.map(([, name]) => name))].sort()).toEqual([...names].sort())
    expect(
      globSync('docs/images/*')
        .map((file) => resolve(file))
        .sort(),
    ).toEqual(names.map(fileOf).sort())
  })

  it.each(names)('%s is sharp and small', async (name) => {
    expect((await stat(fileOf(name))).size).toBeLessThan(MAX_BYTES)
    const { width, height } = readPicture(await readFile(fileOf(name)))
    expect({ width, height }).toEqual(
      moving.includes(name) ? MOVING_SIZE : { width: WIDTH * SCALE, height: HEIGHT * SCALE },
    )
  })
})

if (isMaking)
  it('makes them', { timeout: 600_000 }, async () => {
    const calls = new CommandLine()
    const running = await launchApp({
      dataFolder: join(calls.folder, 'data'),
      environment: { HOME: calls.folder, C64_TASK_STATE_FILE: undefined },
      args: [`--size=${WIDTH}x${HEIGHT}`, '--theme=dark'],
    })
    try {
      await untilLive(running.page)
      await hideStandIn(running)
      const session = await running.page.context().newCDPSession(running.page)
      await show(session, { width: WIDTH, height: HEIGHT }, SCALE)
      for (const { name, arrange } of readmeScenes) {
        await arrange(running, calls)
        await writePicture(running, session, name)
        for (const picture of movingPictures.filter(({ after }) => after === name)) {
          await show(session, MOVING_SIZE, 1)
          await writeMoving(running, session, picture)
          await show(session, { width: WIDTH, height: HEIGHT }, SCALE)
        }
      }
    } finally {
      await running.close()
      await calls.remove()
    }
  })

/** What people have is no stand-in. */
const hideStandIn = ({ page }: RunningApp) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('.status-bar .figure[role="note"] { display: none }')
    document.adoptedStyleSheets.push(sheet)
  })

const show = (session: CDPSession, size: typeof MOVING_SIZE, deviceScaleFactor: number) =>
  session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor, mobile: false })

/** Until tips are gone and views have drawn what they were given last. */
async function untilStill(running: RunningApp): Promise<void> {
  const { page } = running
  await chooseMenuItem(running, 'view.dismissMessages')
  await page.mouse.move(0, 0)
  await page.waitForTimeout(1_000)
  await settle(page)
}

async function writePicture(running: RunningApp, session: CDPSession, name: string): Promise<void> {
  await untilStill(running)
  await writeFile(fileOf(name), indexedPng(await takePicture(session)))
}

/** With all pixels of the scale, which Playwright's own would leave out. */
async function takePicture(session: CDPSession): Promise<RgbaImage> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' })
  return readPicture(Buffer.from(data, 'base64'))
}

async function writeMoving(
  running: RunningApp,
  session: CDPSession,
  { name, frames, act }: MovingPicture,
): Promise<void> {
  await untilStill(running)
  const shots: RgbaImage[] = []
  for (let frame = 0; frame < frames; frame++) {
    shots.push(await takePicture(session))
    await act(running, frame)
    // Until the views have drawn it.
    await running.page.waitForTimeout(FRAME_MS)
    await settle(running.page)
  }
  const { width, height } = MOVING_SIZE
  const all = indexed({
    width,
    height: height * shots.length,
    rgba: Buffer.concat(shots.map(({ rgba }) => rgba)),
  })
  const palette = all.palette.map(([red, green, blue]) => (red << 16) | (green << 8) | blue)
  const file = pngInMemory((output) => {
    const writer = new PngWriter(output, { width, height, palette }, 'animated')
    shots.forEach((_, frame) =>
      writer.add(all.data.subarray(frame * width * height, (frame + 1) * width * height), frame * FRAME_MS),
    )
    writer.end(shots.length * FRAME_MS)
  })
  await writeFile(fileOf(name), file)
}
