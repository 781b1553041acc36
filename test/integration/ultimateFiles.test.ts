/** Files on an Ultimate by its FTP service, against a stand-in that was written from the firmware. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { createMachineHandlers } from '../../src-main/machine/handlers'
import { MachineManager } from '../../src-main/machine/manager'
import { Programs } from '../../src-main/machine/programs'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { startFtp, type FtpOptions, type FtpPeer } from '../peers/ftp'
import type { UltimateOptions } from '../peers/ultimateOptions'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { memoryNotes, soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

interface Setting {
  readonly machine: Machine
  readonly peer: UltimatePeer
  readonly ftp: FtpPeer
}

async function connected(
  ftpOptions: Partial<FtpOptions> = {},
  options: Partial<UltimateOptions> = {},
): Promise<Setting> {
  const peer = await startUltimate(options)
  const ftp = await startFtp(ftpOptions)
  ftp.files.set('/Usb0/games/one.prg', Buffer.from([1, 8, 0, 0]))
  ftp.files.set('/Usb0/disk.d64', Buffer.alloc(174_848, 7))
  ftp.files.set('/Temp/note.txt', Buffer.from('hello'))
  const machine = createUltimateMachine({
    name: `ultimate:127.0.0.1:${peer.ports.rest}`,
    host: '127.0.0.1',
    port: peer.ports.rest,
    dmaPort: peer.ports.dma,
    ftpPort: ftp.port,
    notes: memoryNotes(),
    allowed: () => ({ budget: 0.05, sideEffects: false }),
  })
  cleanUps.push(
    () => peer.stop(),
    () => ftp.stop(),
    () => machine.disconnect(),
  )
  await machine.connect(soon(), options.password)
  return { machine, peer, ftp }
}

const files = (machine: Machine) => requireFacet(machine, 'folders')
const transfers = (machine: Machine) => requireFacet(machine, 'transferFiles')

describe('the files of an Ultimate', () => {
  it.each([null, 'lowerFeatures'] as const)(
    'are listed by folder, a disk image as a file (fault %s)',
    async (fault) => {
      const { machine } = await connected({ fault })
      expect(await files(machine).list('/', soon())).toEqual([
        { name: 'Usb0', size: null, folder: true },
        { name: 'Temp', size: null, folder: true },
      ])
      expect(await files(machine).list('/Usb0', soon())).toEqual([
        { name: 'games', size: null, folder: true },
        { name: 'disk.d64', size: 174_848, folder: false },
      ])
    },
  )

  it('are read and written whole', async () => {
    const { machine, ftp } = await connected()
    const read = await transfers(machine).read('/Usb0/disk.d64', soon())
    expect(Buffer.from(read).equals(Buffer.alloc(174_848, 7))).toBe(true)
    const bytes = Uint8Array.from({ length: 300_000 }, (_, n) => n * 31)
    await transfers(machine).write('/Usb0/new file (2).prg', bytes, false, soon())
    expect(ftp.files.get('/Usb0/new file (2).prg')?.equals(Buffer.from(bytes))).toBe(true)
    await transfers(machine).write('/Temp/empty.seq', new Uint8Array(), false, soon())
    expect(ftp.files.get('/Temp/empty.seq')).toHaveLength(0)
  })

  it('are not replaced unless that was asked for, whatever their case', async () => {
    const { machine, ftp } = await connected()
    const write = (path: string, replace: boolean) => transfers(machine).write(path, Uint8Array.of(9), replace, soon())
    await expect(write('/Temp/NOTE.TXT', false)).rejects.toMatchObject({ code: 'CONFLICT', details: { exists: true } })
    await expect(write('/Usb0/games', true)).rejects.toMatchObject({ code: 'INVALID' })
    expect(ftp.files.get('/Temp/note.txt')?.toString()).toBe('hello')
    await write('/Temp/note.txt', true)
    expect(ftp.files.get('/Temp/note.txt')).toHaveLength(1)
  })

  it('are asked for one at a time, each connection closed', async () => {
    const { machine, ftp } = await connected()
    const all = await Promise.all(Array.from({ length: 8 }, () => files(machine).list('/Temp', soon())))
    expect(all.every(([file]) => file?.name === 'note.txt')).toBe(true)
    const verbs = ftp.commands.map((command) => command.split(' ')[0])
    const logins = verbs.flatMap((verb, index) => (verb === 'USER' ? [index] : []))
    const lists = verbs.flatMap((verb, index) => (verb === 'MLSD' ? [index] : []))
    expect(logins.every((login, index) => login < (lists[index] ?? 0))).toBe(true)
  })

  it('need the network password where there is one', async () => {
    const { machine, ftp } = await connected({ password: 'secret' }, { password: 'secret' })
    expect(await files(machine).list('/Temp', soon())).toHaveLength(1)
    ftp.change({ password: 'changed' })
    await expect(files(machine).list('/Temp', soon())).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(JSON.stringify(ftp.commands)).not.toContain('secret')
  })

  it('that are not there are told so; the path of a file lists that file', async () => {
    const { machine } = await connected()
    await expect(files(machine).list('/Usb9', soon())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(transfers(machine).read('/Usb0/none.prg', soon())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // As the REST service knows it: the stand-in has it there.
    expect(await files(machine).list('/Usb0/demo.prg', soon())).toMatchObject([{ name: 'demo.prg', folder: false }])
  })

  it('are mounted from where they lie', async () => {
    const { machine } = await connected()
    await requireFacet(machine, 'drives').mountStored('a', '/Usb0/disk.d64', 'readonly', soon())
    const [drive] = await requireFacet(machine, 'drives').list(soon())
    expect(drive?.image).toContain('disk.d64')
    await expect(
      requireFacet(machine, 'drives').mountStored('a', '/Usb0/demo.prg', 'readonly', soon()),
    ).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('cannot be listed where the service is off, with what to do; single files are found all the same', async () => {
    const { machine, ftp } = await connected()
    await ftp.stop()
    await expect(files(machine).list('/', soon())).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining('FTP File Service') as string,
    })
    expect(await files(machine).list('/Usb0/demo.prg', soon())).toMatchObject([{ name: 'demo.prg' }])
    expect(machine.status.connection).toBe('live')
  })

  it.each<[NonNullable<FtpOptions['fault']>, string]>([
    ['notFtp', 'LOST'],
    ['tooMany', 'BUSY'],
    ['dropsTransfer', 'LOST'],
    ['silent', 'TIMEOUT'],
    ['hangsTransfer', 'TIMEOUT'],
    ['flood', 'LOST'],
  ])('a service that misbehaves (%s) is a %s, not the end', async (fault, code) => {
    const { machine, ftp } = await connected({ fault })
    await expect(files(machine).list('/Usb0/', soon())).rejects.toMatchObject({ code })
    ftp.change({ fault: null })
    expect(await files(machine).list('/Temp', soon())).toHaveLength(1)
    expect(machine.status.connection).toBe('live')
  })

  it('a full disk is told, and data of a broken transfer is not taken for the file', async () => {
    const { machine, ftp } = await connected({ fault: 'full' })
    await expect(
      transfers(machine).write('/Usb0/big.prg', new Uint8Array(5_000_000), false, soon()),
    ).rejects.toMatchObject({ hint: expect.stringContaining('room') as string })
    expect(ftp.files.has('/Usb0/big.prg')).toBe(false)
    ftp.change({ fault: 'dropsTransfer' })
    await expect(transfers(machine).read('/Usb0/disk.d64', soon())).rejects.toMatchObject({ code: 'LOST' })
  })

  it('hostile names and unreadable lines of a listing are left out', async () => {
    const { machine } = await connected({ fault: 'oddListing' })
    const names = (await files(machine).list('/Temp', soon())).map(({ name }) => name)
    expect(names).toContain('note.txt')
    expect(names.filter((name) => /[/\u0000-\u001f]|^\.\.?$/.test(name) || name.length > 1_000)).toEqual([])
  })

  it('data comes from the device, or not at all', async () => {
    const { machine } = await connected({ fault: 'foreignData' })
    await expect(files(machine).list('/Temp/', soon())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('another host') as string,
    })
  })

  it('a transfer that is given up ends at once', async () => {
    const { machine, ftp } = await connected({ fault: 'hangsTransfer' })
    const abort = new AbortController()
    const listing = files(machine).list('/Temp/', abort.signal)
    const givenUp = expect(listing).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => ftp.commands.at(-1)).toMatch(/^(MLSD|LIST)/)
    abort.abort()
    await givenUp
  })
})

describe('copying files by the commands of the bridge', () => {
  it('goes to a folder of the machine, and back', async () => {
    const { machine, ftp } = await connected()
    const machines = new MachineManager({
      create: () => machine,
      defaultSampling: () => ({ mode: 'off', rate: 1 }),
      onStates: () => undefined,
      log: () => undefined,
    })
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-files-'))
    cleanUps.push(
      () => rmSync(folder, { recursive: true }),
      () => machines.close(),
    )
    const { name } = machine
    await machines.connect(name, soon())
    const handlers = createMachineHandlers({
      machines,
      programs: new Programs(machines),
      checkpoints: {
        set: () => Promise.reject(new Error('Not here.')),
        change: () => Promise.reject(new Error('Not here.')),
        delete: () => Promise.reject(new Error('Not here.')),
        boundTo: () => ({ label: null, line: null, unbound: null, enabledAgain: null }),
        enable: () => Promise.reject(new Error('Not here.')),
        follow: () => Promise.resolve(),
      },
      passwords: { explain: (_machine, error) => error, forget: () => undefined },
      emit: (event, payload) => events.push([event, payload]),
    })
    const events: unknown[] = []
    const path = join(folder, 'mine.d64')
    writeFileSync(path, Buffer.alloc(1_000, 3))
    const upload = (replace: boolean) =>
      handlers['machine.uploadFile']({ machine: name, path, folder: '/Usb0/', replace }, soon())
    expect(await upload(false)).toEqual({ path: '/Usb0/mine.d64', size: 1_000 })
    const transferred = { machine: name, path: '/Usb0/mine.d64', bytes: 1_000, total: 1_000 }
    expect(events.at(-1)).toEqual(['machine.transferred', transferred])
    await expect(upload(false)).rejects.toMatchObject({ code: 'CONFLICT' })
    await upload(true)
    expect(ftp.files.get('/Usb0/mine.d64')).toHaveLength(1_000)
    const back = join(folder, 'back.d64')
    await handlers['machine.downloadFile']({ machine: name, from: '/Usb0/mine.d64', path: back }, soon())
    expect(readFileSync(back).equals(readFileSync(path))).toBe(true)
    expect(events.at(-1)).toEqual(['machine.transferred', { ...transferred, total: null }])
  })
})
