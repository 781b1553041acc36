/**
 * What each workspace looks like, held against the pictures in test/fixtures/pictures. `npm run pictures` makes them again;
 * what differs is drawn into test-results/pictures.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Theme } from '@shared/contract/window'
import type { RgbaImage } from '@shared/rgbaImage'
import type { WorkspaceName } from '@shared/workspaces'
import { electronRuntime } from '../../scripts/lib/electron.mjs'
import { compare, indexedPng, MAX_DIFFERENT_PIXELS, readPicture } from '../support/goldenPictures'
import { launchApp, TOUR_SEEN, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { PICTURE_TIME } from '../support/pictureData'
import { pictureScenes, type PictureScene } from '../support/pictureScenes'
import { chooseMenuItem, settle } from './support'

const GOLDEN = resolve('test/fixtures/pictures')
const RESULTS = resolve('test-results/pictures')
/** What the pictures' letters were drawn with. */
const LETTERS = join(GOLDEN, 'drawn-with.txt')
const isMaking = process.env['BRIDGEDECK_PICTURES'] === 'make'

interface Look {
  readonly theme: Theme
  readonly width: number
  readonly height: number
}

const sizes = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1200 },
] as const
/** Themes differ in their colours alone: the dark one is looked at in one size. */
const looks: readonly Look[] = [
  ...sizes.map((size) => ({ theme: 'light', ...size }) as const),
  { theme: 'dark', width: 1440, height: 900 },
]

const nameOf = (workspace: WorkspaceName, scene: PictureScene, { theme, width, height }: Look): string =>
  `${workspace}-${scene.name}-${theme}-${width}x${height}`

// Another browser or font draws other letters: pictures with them say nothing about the window.
const here = await lettersHere()
const kept = existsSync(LETTERS) ? await readFile(LETTERS, 'utf8') : ''
const canCompare = isMaking || kept === here
if (!canCompare) console.warn(`No picture is compared. They are drawn with: ${kept}This computer has: ${here}`)
if (isMaking) {
  await mkdir(GOLDEN, { recursive: true })
  await writeFile(LETTERS, here)
}

describe.skipIf(isMaking)('the kept pictures', () => {
  it('are those of each workspace and state, and no others', async () => {
    const names = pictureScenes.flatMap((scene) =>
      scene.workspaces.flatMap((workspace) => looks.map((look) => `${nameOf(workspace, scene, look)}.png`)),
    )
    const files = await readdir(GOLDEN)
    expect(files.filter((name) => name.endsWith('.png')).sort()).toEqual(names.sort())
  })
})

if (canCompare)
  describe.skipIf(lacks('electron', 'xvfb'))('the window looks as it did', () => {
    describe.each(pictureScenes)('$name', (scene) => {
      let folder: string
      let running: RunningApp

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'bridgedeck-picture-'))
        running = await openScene(scene, folder)
      })
      afterAll(async () => {
        await running.close()
        await rm(folder, { recursive: true, force: true })
      })

      describe.each(looks)('$theme, $width x $height', (look) => {
        beforeAll(() => showAs(running, look))

        it.each(scene.workspaces)('%s', async (workspace) => {
          await showSettled(running, workspace)
          const name = nameOf(workspace, scene, look)
          await (isMaking ? makeGolden(running.page, name) : holdAgainstGolden(running.page, name))
        })
      })
    })
  })

/** The browser, and the fonts that stand for the two families of our styles. */
async function lettersHere(): Promise<string> {
  const { version } = await electronRuntime()
  const fonts = ['system-ui', 'monospace'].map((family) => {
    const { stdout } = spawnSync('fc-match', ['-f', '%{family}', family], { encoding: 'utf8' })
    return stdout === '' ? 'unknown' : stdout
  })
  return `Electron ${version}, ${fonts.join(', ')}\n`
}

async function openScene(scene: PictureScene, folder: string): Promise<RunningApp> {
  await scene.write(folder)
  const running = await launchApp({
    dataFolder: join(folder, 'data'),
    environment: { HOME: folder, C64_TASK_STATE_FILE: undefined, TZ: 'UTC', LANG: 'en_US.UTF-8', LC_ALL: undefined },
    args: ['--size=1280x800'],
  })
  await untilLive(running.page)
  await scene.arrange(running, folder)
  await running.page.clock.setFixedTime(PICTURE_TIME)
  return running
}

/** Loads the page again, so that its layout is the one of this size, and nothing of what was done before is left on it. */
async function showAs({ app, page }: RunningApp, { theme, width, height }: Look): Promise<void> {
  await app.evaluate(({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0]?.setContentSize(w, h), [
    width,
    height,
  ] as const)
  await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height] as const)
  await page.evaluate((state) => window.bridgedeck.window.remember(state), {
    theme,
    layout: null,
    viewState: TOUR_SEEN,
  })
  await page.reload()
  await untilLive(page)
  await holdStill(page)
}

/** Shows a workspace, and waits until nothing of it is still to come. */
async function showSettled(running: RunningApp, workspace: WorkspaceName): Promise<void> {
  const { page } = running
  await page.locator('.activity-bar').waitFor()
  await chooseMenuItem(running, `view.${workspace}`)
  await page.locator(`[data-workspace="${workspace}"][data-current="true"] .view`).first().waitFor()
  await page.waitForFunction(async () => {
    await document.fonts.ready
    const images = [...document.images].every(({ complete }) => complete)
    return images && document.querySelector('[aria-busy="true"]') === null
  })
  await settle(page)
}

/** What no clock and no file decides: figures of this computer, and its paths. Their places stay. */
const VARYING = [
  '.status-bar .data',
  '.status-bar [role="note"]',
  '.task-facts .data',
  '.tasks-empty .data',
  '.connections-list',
  '.connections-tools > .button',
  '.list-option .project-row .data',
  '.settings .file-path',
  '.settings .settings-path.data',
  '.data-sizes .data',
]

/** By a sheet of the document: the content policy lets no style element in. */
const holdStill = (page: Page) =>
  page.evaluate((varying) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important }
      ${varying.join()} { visibility: hidden !important }
      /* Whether a step or the loaded state came last is a matter of time. */
      .cpu-register.changed > * { background-color: transparent !important }`)
    document.adoptedStyleSheets = [sheet]
  }, VARYING)

const shoot = async (page: Page): Promise<RgbaImage> => readPicture(await page.screenshot())

const MAX_SHOTS = 20

/** Once three in a row are alike. */
async function makeGolden(page: Page, name: string): Promise<void> {
  let last = await shoot(page)
  for (let alike = 0, shots = 0; alike < 2; shots++) {
    await settle(page)
    const next = await shoot(page)
    const { count, picture } = compare(last, next)
    alike = count === 0 ? alike + 1 : 0
    last = next
    if (shots < MAX_SHOTS) continue
    await writeResult(name, next, picture)
    throw new Error(`${name} changes all the time: ${count} pixels, see ${join(RESULTS, name)}.difference.png.`)
  }
  const png = indexedPng(last)
  expect(compare(readPicture(png), last).count).toBe(0)
  await writeFile(join(GOLDEN, `${name}.png`), png)
}

async function writeResult(name: string, actual: RgbaImage, difference: RgbaImage): Promise<void> {
  await mkdir(RESULTS, { recursive: true })
  await writeFile(join(RESULTS, `${name}.png`), indexedPng(actual))
  await writeFile(join(RESULTS, `${name}.difference.png`), indexedPng(difference))
}

/** Until they are alike: what a view shows last may come late on a busy computer. */
async function holdAgainstGolden(page: Page, name: string): Promise<void> {
  const file = join(GOLDEN, `${name}.png`)
  if (!existsSync(file)) throw new Error(`There is no ${file} yet: npm run pictures.`)
  const expected = readPicture(await readFile(file))
  let actual = expected
  const differing = async () => {
    actual = await shoot(page)
    return compare(expected, actual).count
  }
  try {
    await expect.poll(differing, { timeout: 30_000 }).toBeLessThanOrEqual(MAX_DIFFERENT_PIXELS)
  } catch (error) {
    await writeResult(name, actual, compare(expected, actual).picture)
    throw new Error(
      `${name} looks different, see ${join(RESULTS, name)}.difference.png. If it should: npm run pictures.`,
      { cause: error },
    )
  }
}
