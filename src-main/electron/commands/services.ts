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
  readonly stubPath: string
  readonly openFolder: (path: string) => Promise<string>
  /** Only selects it in the system's file manager; opens nothing. */
  readonly showInFolder: (path: string) => void
  readonly useTheme: (theme: 'light' | 'dark' | 'system') => void
  readonly floatPicture: (picture: FloatingPicture | null) => void
  readonly setMenu: (menu: Input<'window.setMenu'>) => void
  readonly watch: (run: WatchedRun | null) => void
  readonly startFresh: () => void
  readonly setFullScreen: (full: boolean) => void
  readonly pageStarted: () => void
}

type Area = keyof MainHandlers extends `${infer Head}.${string}` ? Head : never

export type MainAreaHandlers<Of extends Area> = Pick<MainHandlers, Extract<keyof MainHandlers, `${Of}.${string}`>>
