import { describe, expect, it } from 'vitest'
import { bridgeEnvironment, chooseBridge } from './bridgeEnvironment'

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

describe('how the bridge is started', () => {
  const script = '/app/bridge.cjs'

  it('is the utility process', () => {
    expect(chooseBridge({}, false, script)).toEqual({ kind: 'utility', script })
    expect(chooseBridge({ BRIDGEDECK_NODE: '/node' }, false, script)).toEqual({ kind: 'utility', script })
  })

  it('is a Node of its own under the stand-in Electron', () => {
    expect(chooseBridge({ BRIDGEDECK_NODE: '/node', BRIDGEDECK_STAND_IN: '1' }, false, script)).toEqual({
      kind: 'forked',
      script,
      node: '/node',
    })
  })

  it('is the utility process in a packaged build, whatever the environment says', () => {
    const environment = { BRIDGEDECK_NODE: '/node', BRIDGEDECK_STAND_IN: '1', BRIDGEDECK_TEST_BRIDGE: '/evil.js' }
    expect(chooseBridge(environment, true, script)).toEqual({ kind: 'utility', script })
  })

  it('takes a test’s script in an unpacked build', () => {
    expect(chooseBridge({ BRIDGEDECK_TEST_BRIDGE: '/test.cjs' }, false, script)).toEqual({
      kind: 'utility',
      script: '/test.cjs',
    })
  })
})
