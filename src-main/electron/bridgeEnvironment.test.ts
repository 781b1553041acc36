import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bridgeEnvironment, bridgeParts, chooseBridge, isOldElectron } from './bridgeEnvironment'

describe('the bridge’s environment', () => {
  it('is what it needs, and nothing that may be a secret', () => {
    const environment = bridgeEnvironment({
      PATH: '/bin',
      HOME: '/home/a',
      LANG: 'C',
      LC_ALL: 'C',
      DISPLAY: ':0',
      XDG_RUNTIME_DIR: '/run',
      SystemRoot: 'C:\\Windows',
      BRIDGEDECK_DATA: '/data',
      C64U_HOST: 'c64u',
      C64U_PASSWORD: 'the person’s own, for the bridge alone',
      GITHUB_TOKEN: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      NODE_OPTIONS: '--require /tmp/x.js',
      ELECTRON_RUN_AS_NODE: '1',
      LD_PRELOAD: '/tmp/x.so',
      PATHS: 'x',
      MY_HOME: 'x',
    })
    expect(Object.keys(environment).sort()).toEqual([
      'BRIDGEDECK_DATA',
      'C64U_HOST',
      'C64U_PASSWORD',
      'DISPLAY',
      'HOME',
      'LANG',
      'LC_ALL',
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'PATH',
      'SystemRoot',
      'XDG_RUNTIME_DIR',
    ])
  })
})

describe('the parts of the bridge', () => {
  it('lie beside main in a checkout, with the Node that npm start names', () => {
    expect(bridgeParts({ BRIDGEDECK_NODE: '/node' }, join('/out', 'main'), undefined)).toEqual({
      script: join('/out', 'main', 'bridge.cjs'),
      node: '/node',
    })
  })

  it('are those of a packaged app, whatever the environment says', () => {
    expect(bridgeParts({ BRIDGEDECK_NODE: '/evil' }, '/app/resources/app.asar/out/main', '/app/resources')).toEqual({
      script: join('/app/resources', 'command-line', 'out', 'main', 'bridge.cjs'),
      node: join('/app/resources', process.platform === 'win32' ? 'node.exe' : 'node'),
    })
  })
})

describe('how the bridge is started', () => {
  const parts = { script: '/app/bridge.cjs', node: '/app/node' }
  const { script } = parts

  it('is as the utility process', () => {
    expect(chooseBridge({}, parts, { isPackaged: false, isOld: false })).toEqual({ kind: 'utility', script })
    expect(chooseBridge({}, parts, { isPackaged: true, isOld: false })).toEqual({ kind: 'utility', script })
  })

  it('is in a Node of its own under an Electron that is too old for SQLite', () => {
    const forked = { kind: 'forked', ...parts }
    expect(chooseBridge({}, parts, { isPackaged: false, isOld: true })).toEqual(forked)
    expect(chooseBridge({}, parts, { isPackaged: true, isOld: true })).toEqual(forked)
    expect(chooseBridge({}, { script, node: undefined }, { isPackaged: false, isOld: true })).toMatchObject({
      kind: 'utility',
    })
  })

  it('takes a test’s script in an unpacked build alone', () => {
    const environment = { BRIDGEDECK_TEST_BRIDGE: '/test.cjs' }
    expect(chooseBridge(environment, parts, { isPackaged: false, isOld: true })).toEqual({
      kind: 'utility',
      script: '/test.cjs',
    })
    expect(chooseBridge(environment, parts, { isPackaged: true, isOld: false })).toEqual({ kind: 'utility', script })
  })
})

it('tells an Electron that is too old for SQLite by its Node-API', () => {
  expect(isOldElectron({ ...process.versions, napi: '8' })).toBe(true)
  expect(isOldElectron({ ...process.versions, napi: '10' })).toBe(false)
})
