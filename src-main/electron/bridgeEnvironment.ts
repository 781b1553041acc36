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
  // File of an AppImage, which lasts; its mounted parts do not.
  'APPIMAGE',
  ...c64bridgeVariables,
])
const allowedPrefixes = ['LC_', 'XDG_', 'BRIDGEDECK_']

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

/** Lowest Node-API that better-sqlite3 needs. */
const SQLITE_NODE_API = 10

/** The stand-in Electron is too old for SQLite. */
export const isOldElectron = ({ napi }: NodeJS.ProcessVersions): boolean => Number(napi) < SQLITE_NODE_API

export interface BridgeParts {
  readonly script: string
  readonly node: string | undefined
}

export function bridgeParts(environment: NodeJS.ProcessEnv, built: string, resources: string | undefined): BridgeParts {
  if (resources === undefined) return { script: join(built, 'bridge.cjs'), node: environment.BRIDGEDECK_NODE }
  return {
    script: join(resources, 'command-line', 'out', 'main', 'bridge.cjs'),
    node: join(resources, process.platform === 'win32' ? 'node.exe' : 'node'),
  }
}

/** In an unpacked build, `BRIDGEDECK_TEST_BRIDGE` names a script for tests. */
export function chooseBridge(
  environment: NodeJS.ProcessEnv,
  { script, node }: BridgeParts,
  { isPackaged, isOld }: { readonly isPackaged: boolean; readonly isOld: boolean },
): BridgeChoice {
  const testScript = isPackaged ? undefined : environment.BRIDGEDECK_TEST_BRIDGE
  if (testScript) return { kind: 'utility', script: testScript }
  return node !== undefined && isOld ? { kind: 'forked', script, node } : { kind: 'utility', script }
}
