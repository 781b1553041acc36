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

export const bridgeStateSchema = z.strictObject({
  state: z.enum(bridgeStates),
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
  /** True for the old stand-in Electron, which is for trials and tests only. */
  standIn: z.boolean(),
})

/** Kept by main, so that it is there before the bridge is. */
export const windowStateSchema = z.strictObject({
  theme: z.enum(themes),
  layout: z.string().max(200_000).nullable(),
  viewState: z.string().max(200_000).nullable(),
})
export type WindowState = z.infer<typeof windowStateSchema>

/** 0xRRGGBB */
const palette16 = z.array(z.int().min(0).max(0xffffff)).length(16)

export const loadedPaletteSchema = z.strictObject({ name: z.string().min(1).max(200), colours: palette16 })
export type LoadedPalette = z.infer<typeof loadedPaletteSchema>

const floatingPictureSchema = z.strictObject({
  machine: machineNameSchema,
  title: z.string().max(300),
  colours: palette16,
  borders: z.enum(['shown', 'cropped']),
  aspect: z.number().min(0.5).max(1),
  moment: z
    .strictObject({
      text: z.string().max(100),
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
  'window.choosePalette': mainCommand({
    input: nothing,
    output: z.strictObject({ palette: loadedPaletteSchema.nullable() }),
    deadline: 0,
  }),
  'window.savePicture': mainCommand({
    input: z.strictObject({ png, name: suggestedName }),
    output: savedOutput,
    deadline: 0,
  }),
  'window.saveText': mainCommand({
    input: z.strictObject({
      text: z.string().max(1_000_000),
      name: suggestedName,
      format: z.enum(['markdown', 'html']),
    }),
    output: savedOutput,
    deadline: 0,
  }),
  'window.showSaved': mainCommand({ input: savedFileSchema.pick({ grant: true }), output: nothing }),
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
  /** Opens the small window with the picture alone, or updates it; null closes it. */
  'window.floatPicture': mainCommand({
    input: z.strictObject({ picture: floatingPictureSchema.nullable() }),
    output: nothing,
  }),
  'window.setMenu': mainCommand({
    input: z.strictObject({
      titles: z.partialRecord(z.enum(actionIds), z.string().min(1).max(200)),
      runningKeys: z.enum(runningKeySets),
    }),
    output: nothing,
  }),
  'window.openLogs': mainCommand({ input: nothing, output: nothing }),
  'window.watch': mainCommand({
    input: z.strictObject({ run: z.strictObject({ project: projectId, run: runKey }).nullable() }),
    output: nothing,
  }),
  'window.restartBridge': mainCommand({ input: nothing, output: nothing }),
} as const

export const windowEvents = {
  'bridge.state': bridgeStateSchema,
  'window.action': z.strictObject({ action: z.enum(actionIds) }),
  'window.floatingPicture': floatingPictureSchema,
  'window.floatingClosed': nothing,
  'window.leftFullScreen': nothing,
  'window.openMachine': z.strictObject({ machine: machineNameSchema }),
  /**
   * The page gets a `grant` for each file, for `program.runGranted` and `state.loadGranted`, or for a folder, for
   * `projects.openGranted`.
   */
  'window.filesDropped': z.strictObject({
    files: z
      .array(z.strictObject({ grant: z.string().max(64), name: z.string().max(300), folder: z.boolean() }))
      .max(MAX_DROPPED_FILES),
  }),
} as const
