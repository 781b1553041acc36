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
    Object.entries(environment).filter(([name]) => {
      const upper = name.toUpperCase()
      return allowed.has(upper) || allowedPrefixes.some((prefix) => upper.startsWith(prefix))
    }),
  )
  return { ...needed, ...allocatorEnvironment }
}

export type BridgeChoice =
  | { readonly kind: 'utility'; readonly script: string }
  | { readonly kind: 'forked'; readonly script: string; readonly node: string }

/**
 * How to start the bridge. A packaged build always runs its own script as a utility process. Otherwise
 * `BRIDGEDECK_TEST_BRIDGE` names a script for tests, and `BRIDGEDECK_NODE`, only under the stand-in Electron, a Node that is
 * new enough for SQLite.
 */
export function chooseBridge(environment: NodeJS.ProcessEnv, isPackaged: boolean, script: string): BridgeChoice {
  const {
    BRIDGEDECK_STAND_IN: standIn,
    BRIDGEDECK_NODE: node,
    BRIDGEDECK_TEST_BRIDGE: testScript,
  } = isPackaged ? {} : environment
  if (testScript) return { kind: 'utility', script: testScript }
  return node && standIn === '1' ? { kind: 'forked', script, node } : { kind: 'utility', script }
}
