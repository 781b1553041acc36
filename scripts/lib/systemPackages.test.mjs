import { describe, expect, it } from 'vitest'
import { provideParts, sourceWithAreas } from './systemPackages.mjs'

const debian = { id: 'debian', codename: 'bookworm', version: 12 }

/** apt-cache's answer: names with a version are known, the others have none to install. */
const policy = (known) =>
  known.map((name) => `${name}:\n  Installed: (none)\n  Candidate: 1.0\n  Version table:\n     1.0 500\n`).join('')

/** A machine where nothing is installed and apt-get can bring what its sources hold. */
function bareSystem({
  root = true,
  contained = true,
  release = debian,
  known = ['libgtk-3-0', 'xvfb'],
  source = '',
  withArea = known,
} = {}) {
  const calls = []
  const written = []
  const installed = new Set()
  return {
    calls,
    written,
    platform: 'linux',
    which: (program) => (program === 'apt-get' || installed.has(program) ? `/usr/bin/${program}` : undefined),
    isRoot: () => root,
    isContained: () => contained,
    osRelease: () => release,
    readSources: () => [{ name: 'debian.sources', text: source }],
    writeSource: (name, text) => written.push([name, text]),
    run: async (command, args) => {
      calls.push([command, ...args].join(' '))
      if (command === 'ldd')
        return {
          code: 0,
          output: installed.has('libgtk-3-0') ? '' : '\tlibgtk-3.so.0 => not found\n\tlibc.so.6 => /lib/libc.so.6\n',
        }
      if (command === 'apt-cache') return { code: 0, output: policy(written.length > 0 ? withArea : known) }
      if (args.includes('install')) {
        for (const [name, program] of [
          ['xvfb', 'Xvfb'],
          ['vice', 'x64sc'],
          ['libgtk-3-0', 'libgtk-3-0'],
          ['libgtk-3-0t64', 'libgtk-3-0'],
        ]) {
          if (args.includes(name)) installed.add(program)
        }
      }
      return { code: 0, output: '' }
    },
  }
}

const installCall = ({ calls }) => calls.find((call) => call.startsWith('apt-get') && call.includes(' install '))

describe('provideParts', () => {
  it('asks nothing of a system that has everything', async () => {
    const system = { ...bareSystem(), which: (program) => `/usr/bin/${program}` }
    expect(await provideParts(['xvfb', 'vice'], undefined, system)).toEqual(new Map())
    expect(system.calls).toEqual([])
  })

  it('installs what is missing as root in a container', async () => {
    const system = bareSystem()
    expect(await provideParts(['electron', 'xvfb'], '/electron', system)).toEqual(new Map())
    expect(installCall(system)).toMatch(/ install -y --no-install-recommends libgtk-3-0 .*xvfb xauth$/)
  })

  it('installs nothing for a person, and says what to type', async () => {
    const system = bareSystem({ root: false })
    const missing = await provideParts(['xvfb'], undefined, system)
    expect(missing.get('xvfb')).toBe(
      'Xvfb, the virtual display, is not installed. Install it with: sudo apt-get update && sudo apt-get install --no-install-recommends xvfb xauth',
    )
    expect(system.calls.some((call) => call.startsWith('apt-get'))).toBe(false)
  })

  it('installs nothing for root on a machine of somebody’s own', async () => {
    const system = bareSystem({ contained: false })
    expect((await provideParts(['xvfb'], undefined, system)).has('xvfb')).toBe(true)
    expect(installCall(system)).toBeUndefined()
  })

  it('takes the library names that the release has', async () => {
    const system = bareSystem({ root: false, known: ['libgtk-3-0t64', 'libnss3', 'libasound2t64'] })
    const line = (await provideParts(['electron'], '/electron', system)).get('electron')
    expect(line).toContain('libgtk-3-0t64 libnss3 libasound2t64 libgbm1')
  })

  it('goes by the release where apt has no lists yet', async () => {
    const ubuntu = bareSystem({ root: false, known: [], release: { id: 'ubuntu', codename: 'noble', version: 24.04 } })
    expect((await provideParts(['electron'], '/electron', ubuntu)).get('electron')).toContain(
      'libgtk-3-0t64 libnss3 libasound2t64',
    )
    const older = bareSystem({ root: false, known: [] })
    expect((await provideParts(['electron'], '/electron', older)).get('electron')).toContain(
      'libgtk-3-0 libnss3 libasound2 ',
    )
  })

  it('adds the area that VICE is in, on the mirror that is there', async () => {
    const source = 'Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: main\n'
    const system = bareSystem({ source, withArea: ['libgtk-3-0', 'xvfb', 'vice'] })
    expect(await provideParts(['vice'], undefined, system)).toEqual(new Map())
    expect(system.written).toEqual([
      [
        'bridgedeck.sources',
        'Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: contrib\n\n',
      ],
    ])
  })

  it('tells a person which area VICE is in', async () => {
    const missing = await provideParts(['vice'], undefined, bareSystem({ root: false }))
    expect(missing.get('vice')).toContain('first add contrib to the areas of your apt source')
  })

  it('says what apt-get said when it fails, without the mirror’s address', async () => {
    const system = bareSystem()
    const run = async (command, args) =>
      command === 'apt-get'
        ? { code: 100, output: 'E: Failed to fetch http://mirror.example/x  404' }
        : system.run(command, args)
    const missing = await provideParts(['xvfb'], undefined, { ...system, run })
    expect(missing.get('xvfb')).toMatch(/not installed; apt-get could not install it: .*Failed to fetch \(mirror\)/s)
  })

  it('names what is missing on a system without apt', async () => {
    const system = { ...bareSystem(), which: () => undefined }
    expect((await provideParts(['vice'], undefined, system)).get('vice')).toBe('VICE (x64sc) is not on the PATH')
  })
})

describe('sourceWithAreas', () => {
  it('keeps the key and the mirror of a deb822 entry, and only the entry of the release', () => {
    const text = [
      '# See the manual',
      'Types: deb deb-src',
      'URIs: http://mirror.example/debian',
      'Suites: bookworm bookworm-updates',
      'Components: main',
      'Signed-By: /usr/share/keyrings/key.gpg',
      '',
      'Types: deb',
      'URIs: http://mirror.example/security',
      'Suites: bookworm-security',
      'Components: main',
    ].join('\n')
    expect(sourceWithAreas(text, 'deb822', 'bookworm', ['contrib'])).toBe(
      'Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\nComponents: contrib\nSigned-By: /usr/share/keyrings/key.gpg\n\n',
    )
  })

  it('leaves out an entry that is switched off', () => {
    const text = 'Enabled: no\nTypes: deb\nURIs: http://mirror.example/\nSuites: noble\nComponents: main\n'
    expect(sourceWithAreas(text, 'deb822', 'noble', ['universe'])).toBeUndefined()
  })

  it('reads one-line entries with and without options', () => {
    const text = [
      '# deb http://off.example/ jammy main',
      'deb [signed-by=/key.gpg] http://mirror.example/ubuntu/ jammy main restricted',
      'deb http://mirror.example/ubuntu/ jammy-updates main',
    ].join('\n')
    expect(sourceWithAreas(text, 'line', 'jammy', ['universe', 'multiverse'])).toBe(
      'deb [signed-by=/key.gpg] http://mirror.example/ubuntu/ jammy universe multiverse\n',
    )
  })
})
