import { c64bridgeVariables } from '../files/c64bridgeVariables'

const passedOn = new Set<string>([
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
const prefixes = ['LC_', 'XDG_', 'BRIDGEDECK_']

/**
 * What the bridge process gets of the environment: what it and VICE need to run, what names the person's own machines, and
 * no more. Windows ignores case.
 */
export function bridgeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => {
      const upper = name.toUpperCase()
      return passedOn.has(upper) || prefixes.some((prefix) => upper.startsWith(prefix))
    }),
  )
}

export type BridgeChoice =
  | { readonly kind: 'utility'; readonly script: string }
  | { readonly kind: 'forked'; readonly script: string; readonly node: string }

/**
 * How the bridge is started. A packaged build always runs its own script as a utility process; only an unpacked one
 * heeds `BRIDGEDECK_NODE` (and only under the stand-in Electron, whose own Node is too old for SQLite) and `BRIDGEDECK_TEST_BRIDGE` (a script for tests).
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
