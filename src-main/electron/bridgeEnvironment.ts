import { join } from 'node:path'
import { allocatorEnvironment } from '../bridge/processMemory'
import { c64bridgeVariables } from '../files/c64bridgeVariables'

const allowed = new Set<string>([
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'SYSTEMROOT',
  'PATHEXT',
  'COMSPEC',
  'C64_TASK_STATE_FILE',
  // Of an AppImage: its file, which lasts, while its parts lie in a folder that is gone with it.
  'APPIMAGE',
  ...c64bridgeVariables,
])
const allowedPrefixes = ['LC_', 'XDG_', 'BRIDGEDECK_']

/**
 * The bridge process's environment: only what it and VICE need to run, the variables that configure the user's machines, and what keeps
 * its memory small.
 * Windows ignores the case of names.
 */
export function bridgeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const needed = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => {
      if (value === undefined) return false
      const upper = name.toUpperCase()
      return allowed.has(upper) || allowedPrefixes.some((prefix) => upper.startsWith(prefix))
    }),
  )
  return { ...needed, ...allocatorEnvironment }
}

export type BridgeChoice =
  | { readonly kind: 'utility'; readonly script: string }
  | { readonly kind: 'forked'; readonly script: string; readonly node: string }

/** The Node-API that better-sqlite3 needs. */
const SQLITE_NODE_API = 10

/** The Electron that stands in where no other is to be had is too old for SQLite. */
export const isOldElectron = ({ napi }: NodeJS.ProcessVersions): boolean => Number(napi) < SQLITE_NODE_API

/** The bridge's program, and the Node that comes with the app or, in a checkout, is named by `npm start`. */
export interface BridgeParts {
  readonly script: string
  readonly node: string | undefined
}

/** @param resources of the packaged app; undefined in a checkout, where the script lies beside main's own */
export function bridgeParts(environment: NodeJS.ProcessEnv, built: string, resources: string | undefined): BridgeParts {
  if (resources === undefined) return { script: join(built, 'bridge.cjs'), node: environment.BRIDGEDECK_NODE }
  return {
    script: join(resources, 'command-line', 'out', 'main', 'bridge.cjs'),
    node: join(resources, process.platform === 'win32' ? 'node.exe' : 'node'),
  }
}

/** How to start the bridge. In an unpacked build, `BRIDGEDECK_TEST_BRIDGE` names a script for tests. */
export function chooseBridge(
  environment: NodeJS.ProcessEnv,
  { script, node }: BridgeParts,
  { isPackaged, isOld }: { readonly isPackaged: boolean; readonly isOld: boolean },
): BridgeChoice {
  const testScript = isPackaged ? undefined : environment.BRIDGEDECK_TEST_BRIDGE
  if (testScript) return { kind: 'utility', script: testScript }
  return node !== undefined && isOld ? { kind: 'forked', script, node } : { kind: 'utility', script }
}
