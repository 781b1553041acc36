import { basename } from 'node:path'
import { MAX_VPL_BYTES, readVpl } from '@shared/c64/vpl'
import { AppError } from '@shared/contract/errors'
import type { LoadedPalette } from '@shared/contract/window'
import { readBounded } from '../../files/readBounded'
import { diagnosticsZip } from '../diagnostics'
import { anyFile } from './fileFilters'
import { saveTo } from './savedFile'
import type { MainAreaHandlers, MainServices } from './services'

const MAX_PASTED_CHARACTERS = 16_384

const textFormats = {
  markdown: { title: 'Markdown', extension: 'md' },
  html: { title: 'a web page', extension: 'html' },
} as const

export function createWindowHandlers(services: MainServices): MainAreaHandlers<'window'> {
  const { app, bridge, supervisor, store, dialogs, grants, clipboard, logFolder } = services
  return {
    'window.info': () => {
      services.pageStarted()
      return { app, window: store.windowState, bridge: supervisor.state }
    },
    'window.remember': ({ theme, layout, viewState }) => {
      if (theme !== undefined) services.useTheme(theme)
      store.remember({
        ...(theme === undefined ? {} : { theme }),
        ...(layout === undefined ? {} : { layout }),
        ...(viewState === undefined ? {} : { viewState }),
      })
      return {}
    },
    'window.choosePalette': async () => {
      const path = await dialogs.open('palette', 'Load a palette', [
        { name: 'VICE palettes', extensions: ['vpl'] },
        anyFile,
      ])
      return { palette: path === undefined ? null : await readPalette(path) }
    },
    'window.savePicture': async ({ png, name }) => {
      requirePng(png)
      return saveTo(
        grants,
        await dialogs.save('picture', 'Save a screenshot', name, [{ name: 'PNG picture', extensions: ['png'] }]),
        png,
      )
    },
    'window.saveText': async ({ text, name, format }) => {
      const { title, extension } = textFormats[format]
      const filters = [{ name: title, extensions: [extension] }]
      return saveTo(grants, await dialogs.save('text', `Save as ${title}`, name, filters), Buffer.from(text))
    },
    'window.showSaved': ({ grant }) => {
      services.showInFolder(grants.look(grant))
      return {}
    },
    'window.showPrices': async (_input, signal) => {
      services.showInFolder((await bridge('agents.createPrices', {}, signal)).path)
      return {}
    },
    'window.copyPicture': async ({ png }) => {
      requirePng(png)
      await clipboard.writePicture(png)
      return {}
    },
    'window.copyText': async ({ text }) => {
      await clipboard.writeText(text)
      return {}
    },
    'window.readClipboardText': async () => ({ text: (await clipboard.readText()).slice(0, MAX_PASTED_CHARACTERS) }),
    'window.saveDiagnostics': async () => {
      const path = await dialogs.save('diagnostics', 'Save diagnostics', 'bridgedeck-diagnostics.zip', [
        { name: 'Zip archive', extensions: ['zip'] },
      ])
      if (path === undefined) return { saved: null }
      const zip = await diagnosticsZip(logFolder, {
        versions: () => ({ ...app, node: process.versions.node }),
        window: () => store.stored,
        bridge: () => supervisor.state,
        settings: () => bridge('settings.get', {}),
        machines: () => bridge('machine.list', {}),
      })
      return saveTo(grants, path, zip)
    },
    'window.floatPicture': ({ picture }) => {
      services.floatPicture(picture)
      return {}
    },
    'window.setMenu': (menu) => {
      services.setMenu(menu)
      return {}
    },
    'window.setFullScreen': ({ full }) => {
      services.setFullScreen(full)
      return {}
    },
    'window.watch': ({ run }) => {
      services.watch(run)
      return {}
    },
    'window.openLogs': async () => {
      const problem = await services.openFolder(logFolder)
      if (problem !== '')
        throw new AppError('INTERNAL', 'The log folder could not be opened.', {
          hint: 'Help > Save diagnostics puts the logs into a file.',
        })
      return {}
    },
    'window.restartBridge': () => {
      supervisor.start()
      return {}
    },
  }
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function requirePng(bytes: Uint8Array): void {
  if (!PNG_SIGNATURE.every((byte, index) => bytes[index] === byte))
    throw new AppError('INVALID', 'The picture is not a PNG file.')
}

async function readPalette(path: string): Promise<LoadedPalette> {
  const name = basename(path)
  const { colours, problems } = readVpl(new TextDecoder().decode(await readBounded(path, MAX_VPL_BYTES)))
  if (colours === null) {
    const [problem] = problems
    throw new AppError('INVALID', `${name}:${problem?.line ?? 1}: ${problem?.text ?? 'Not a palette.'}`, {
      hint: 'Choose a palette file of VICE for the C64 (.vpl).',
    })
  }
  return { name, colours: [...colours] }
}
