import type { Input } from '@shared/contract/contract'
import type { appInfoSchema, FloatingPicture } from '@shared/contract/window'
import type { z } from 'zod'
import type { WatchedRun } from '../desktopNotices'
import type { Dialogs } from '../dialogs'
import type { Grants } from '../grants'
import type { BridgeCall, MainHandlers } from '../router'
import type { Secrets } from '../secrets'
import type { RunningBridge, Supervisor } from '../supervisor'
import type { WindowStore } from '../windowState'

export interface MainServices {
  readonly app: z.infer<typeof appInfoSchema>
  readonly bridge: BridgeCall
  readonly supervisor: Pick<Supervisor<RunningBridge>, 'start' | 'state'>
  readonly store: Pick<WindowStore, 'remember' | 'stored' | 'windowState'>
  readonly grants: Grants
  readonly secrets: Pick<Secrets, 'authenticate' | 'forget' | 'forgetPassword' | 'limit'>
  readonly dialogs: Pick<Dialogs, 'confirm' | 'confirmWith' | 'open' | 'openFolder' | 'save'>
  readonly clipboard: {
    readText(): Promise<string>
    writeText(text: string): Promise<void>
    writePicture(png: Uint8Array): Promise<void>
  }
  readonly dataFolder: string
  readonly logFolder: string
  /** The assembled serial stub for the C64. */
  readonly stubPath: string
  readonly openFolder: (path: string) => Promise<string>
  /** Selects the file or folder in the system's file manager; opens nothing. */
  readonly showInFolder: (path: string) => void
  readonly useTheme: (theme: 'light' | 'dark' | 'system') => void
  /** In a small window of its own; null closes that. */
  readonly floatPicture: (picture: FloatingPicture | null) => void
  readonly setMenu: (menu: Input<'window.setMenu'>) => void
  /** The run that the page shows. */
  readonly watch: (run: WatchedRun | null) => void
  /** Ends Bridgedeck and starts it again with an empty data folder. */
  readonly startFresh: () => void
  readonly setFullScreen: (full: boolean) => void
  /** The page has started and listens for events. */
  readonly pageStarted: () => void
}

type Area = keyof MainHandlers extends `${infer Head}.${string}` ? Head : never

/** Main's commands of these areas; an area is the part of a command's name before the dot. */
export type MainAreaHandlers<Of extends Area> = Pick<MainHandlers, Extract<keyof MainHandlers, `${Of}.${string}`>>
