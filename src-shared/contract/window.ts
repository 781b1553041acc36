import { z } from 'zod'
import { actionIds } from '../actions'
import { runningKeySets } from '../runningKeys'
import { mainCommand } from './define'
import { machineNameSchema } from './machine'
import { bytesSchema, pictureSchema } from './memory'
import { projectId, runKey } from './orchestration'
import { MAX_DROPPED_FILES } from './pageChannels'
import { savedFileSchema, savedOutput } from './savedFile'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const bridgeStates = ['starting', 'ready', 'restarting', 'failed', 'stopped'] as const

/** The bridge process as main supervises it. */
export const bridgeStateSchema = z.strictObject({
  state: z.enum(bridgeStates),
  /** What happened, in one sentence; null when all is well. */
  reason: z.string().max(1000).nullable(),
  /** Unexpected ends within the last five minutes. */
  recentEnds: z.int().min(0),
})
export type BridgeState = z.infer<typeof bridgeStateSchema>

export const appInfoSchema = z.strictObject({
  version: z.string().max(50),
  electron: z.string().max(50),
  chromium: z.string().max(50),
  platform: z.string().max(50),
  /** True when this is the old stand-in Electron, for trying and testing only. */
  standIn: z.boolean(),
})

/** What the window itself remembers; kept by main, so that it is there before the bridge is. */
export const windowStateSchema = z.strictObject({
  theme: z.enum(themes),
  /** The page's own JSON: the arrangement of its docked views. */
  layout: z.string().max(200_000).nullable(),
  /** The page's own JSON: zooms, palettes, what a view showed last. */
  viewState: z.string().max(200_000).nullable(),
})
export type WindowState = z.infer<typeof windowStateSchema>

/** 0xRRGGBB */
const palette16 = z.array(z.int().min(0).max(0xffffff)).length(16)

/** Sixteen colours out of a file. */
export const loadedPaletteSchema = z.strictObject({ name: z.string().min(1).max(200), colours: palette16 })
export type LoadedPalette = z.infer<typeof loadedPaletteSchema>

/** What the window of the picture alone shows. */
const floatingPictureSchema = z.strictObject({
  machine: machineNameSchema,
  title: z.string().max(300),
  colours: palette16,
  borders: z.enum(['shown', 'cropped']),
  /** How wide a pixel is, in its heights. */
  aspect: z.number().min(0.5).max(1),
  /** The recorded moment that the main window shows, in place of the machine as it is now; null while it shows that. */
  moment: z
    .strictObject({
      /** Says that it is recorded, and when. */
      text: z.string().max(100),
      /** Null where the recording has none of this moment. */
      picture: pictureSchema.nullable(),
    })
    .nullable(),
})
export type FloatingPicture = z.infer<typeof floatingPictureSchema>

const nothing = z.strictObject({})
const png = bytesSchema(16 * 1024 * 1024)
const suggestedName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w. -]+$/)

export const windowCommands = {
  'window.info': mainCommand({
    input: nothing,
    output: z.strictObject({ app: appInfoSchema, window: windowStateSchema, bridge: bridgeStateSchema }),
  }),
  'window.remember': mainCommand({ input: windowStateSchema.partial(), output: nothing }),
  /** Reads a palette of VICE (.vpl) that the person chooses; null when the dialog is cancelled. */
  'window.choosePalette': mainCommand({
    input: nothing,
    output: z.strictObject({ palette: loadedPaletteSchema.nullable() }),
    deadline: 0,
  }),
  /** Saves where the person says. */
  'window.savePicture': mainCommand({
    input: z.strictObject({ png, name: suggestedName }),
    output: savedOutput,
    deadline: 0,
  }),
  /** The same, of a text that the page made. */
  'window.saveText': mainCommand({
    input: z.strictObject({
      text: z.string().max(1_000_000),
      name: suggestedName,
      format: z.enum(['markdown', 'html']),
    }),
    output: savedOutput,
    deadline: 0,
  }),
  /** Selects a file that was just saved in the system's file manager. */
  'window.showSaved': mainCommand({ input: savedFileSchema.pick({ grant: true }), output: nothing }),
  /** Makes the person's file of prices where there is none, and shows it in the system's file manager. */
  'window.showPrices': mainCommand({ input: nothing, output: nothing }),
  'window.copyPicture': mainCommand({ input: z.strictObject({ png }), output: nothing }),
  'window.copyText': mainCommand({ input: z.strictObject({ text: z.string().max(1_000_000) }), output: nothing }),
  'window.readClipboardText': mainCommand({ input: nothing, output: z.strictObject({ text: z.string().max(16_384) }) }),
  'window.saveDiagnostics': mainCommand({
    input: nothing,
    output: savedOutput,
    deadline: 0,
  }),
  'window.setFullScreen': mainCommand({ input: z.strictObject({ full: z.boolean() }), output: nothing }),
  /** Opens the small window with the picture alone, tells it what to show, or closes it (null). */
  'window.floatPicture': mainCommand({
    input: z.strictObject({ picture: floatingPictureSchema.nullable() }),
    output: nothing,
  }),
  /** Titles in place of the table's in the native menu, and its keys for running, until the next call. */
  'window.setMenu': mainCommand({
    input: z.strictObject({
      titles: z.partialRecord(z.enum(actionIds), z.string().min(1).max(200)),
      runningKeys: z.enum(runningKeySets),
    }),
    output: nothing,
  }),
  'window.openLogs': mainCommand({ input: nothing, output: nothing }),
  /** The run that the page shows; null while it shows none. */
  'window.watch': mainCommand({
    input: z.strictObject({ run: z.strictObject({ project: projectId, run: runKey }).nullable() }),
    output: nothing,
  }),
  /** Starts the bridge again after `failed`. */
  'window.restartBridge': mainCommand({ input: nothing, output: nothing }),
} as const

export const windowEvents = {
  'bridge.state': bridgeStateSchema,
  /** A menu item or accelerator; the page carries it out. */
  'window.action': z.strictObject({ action: z.enum(actionIds) }),
  /** To the floating window alone. */
  'window.floatingPicture': floatingPictureSchema,
  'window.floatingClosed': nothing,
  'window.leftFullScreen': nothing,
  /** The app was started again with a machine's name: the page turns to that machine. */
  'window.openMachine': z.strictObject({ machine: machineNameSchema }),
  /** Files were dropped on the window, or the app was started with one; `grant` stands for each in
   *  `program.runGranted` and `state.loadGranted`, or for a folder in `projects.openGranted`. */
  'window.filesDropped': z.strictObject({
    files: z
      .array(z.strictObject({ grant: z.string().max(64), name: z.string().max(300), folder: z.boolean() }))
      .max(MAX_DROPPED_FILES),
  }),
} as const
