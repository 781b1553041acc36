/** What the page cannot do: the lines of the security checklist that need a real window. */
import { createSocket as createUdpSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands, isCommandName } from '@shared/contract/contract'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { chooseMenuItem, collectPolicyViolations, launchWithEchoBridge, readLog, untilBridge } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('the page', () => {
  let running: RunningApp
  const start = 'app://bridgedeck/index.html'

  beforeAll(async () => {
    running = await launchWithEchoBridge()
    await untilBridge(running.page, 'ready')
  })
  afterAll(() => running.close())

  it('has no Node, is isolated across origins, and sees the contract’s functions alone', async () => {
    const { page } = running
    const found = await page.evaluate(() => ({
      require: typeof Reflect.get(globalThis, 'require'),
      process: typeof Reflect.get(globalThis, 'process'),
      module: typeof Reflect.get(globalThis, 'module'),
      isolated: crossOriginIsolated,
      functions: Object.entries(window.bridgedeck).flatMap(([area, verbs]: [string, object]) =>
        typeof verbs === 'function' ? [area] : Object.keys(verbs).map((verb) => `${area}.${verb}`),
      ),
    }))
    const forPage = Object.entries(commands).flatMap(([name, { page }]) => (page && isCommandName(name) ? [name] : []))
    expect(found).toMatchObject({ require: 'undefined', process: 'undefined', module: 'undefined', isolated: true })
    expect(found.functions.sort()).toEqual([...forPage, 'cancel', 'connectPort', 'onEvent'].sort())
  })

  it('comes with the whole policy, and other files do too', async () => {
    const headers = await running.page.evaluate(async () => {
      const all = []
      for (const path of ['index.html', 'no/such.js']) all.push(Object.fromEntries((await fetch(path)).headers))
      return all
    })
    for (const sent of headers) {
      expect(sent['content-security-policy']?.replace(/nonce-[^']+/, 'nonce-N')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
          "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
      )
      expect(sent).toMatchObject({ 'x-content-type-options': 'nosniff', 'cross-origin-opener-policy': 'same-origin' })
    }
  })

  it('gets files of the app alone, by GET alone', async () => {
    const statuses = await running.page.evaluate(async () => {
      const status = (url: string, method = 'GET') =>
        fetch(url, { method })
          .then((response) => response.status)
          .catch(() => 'refused')
      return Promise.all([
        status('app://bridgedeck/index.html'),
        status('app://bridgedeck/index.html', 'POST'),
        status('app://bridgedeck/..%2f..%2fpackage.json'),
        status('app://bridgedeck/%2e%2e/%2e%2e/package.json'),
        status('app://other/index.html'),
        status('file:///etc/hostname'),
        status('https://example.org/'),
      ])
    })
    expect(statuses).toEqual([200, 405, 403, 404, 'refused', 'refused', 'refused'])
  })

  it('cannot be a file, in this window or another', async () => {
    const { app } = running
    const shown = await app.evaluate(async ({ BrowserWindow, net }) => {
      const other = new BrowserWindow({ show: false })
      const texts: string[] = []
      for (const address of ['file:///etc/hostname', 'app://other/index.html']) {
        await other.loadURL(address).catch(() => undefined)
        texts.push((await other.webContents.executeJavaScript('document.body.innerText').catch(() => '')) as string)
      }
      other.destroy()
      return { texts, status: (await net.fetch('file:///etc/hostname')).status }
    })
    expect(shown).toEqual({ texts: ['', ''], status: 403 })
  })

  it('runs no inline script, no text as code, and no script from elsewhere', async () => {
    const ran = await running.page.evaluate(async () => {
      const violations: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        violations.push(`${effectiveDirective} ${blockedURI}`),
      )
      const flags = globalThis as unknown as Record<string, unknown>
      const inline = document.createElement('script')
      inline.textContent = 'globalThis.ranInline = true'
      document.head.append(inline)
      const attribute = document.createElement('img')
      attribute.setAttribute('onerror', 'globalThis.ranAttribute = true')
      attribute.src = 'data:,'
      document.body.append(attribute)
      const remote = document.createElement('script')
      remote.src = 'https://example.org/x.js'
      document.head.append(remote)
      // oxlint-disable-next-line typescript/no-implied-eval -- what is tested
      setTimeout('globalThis.ranText = true')
      for (const end = performance.now() + 20_000; violations.length < 4 && performance.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 20))
      for (const element of [inline, attribute, remote]) element.remove()
      return { flags: [flags['ranInline'], flags['ranAttribute'], flags['ranText']], violations }
    })
    expect(ran.flags).toEqual([undefined, undefined, undefined])
    expect(ran.violations.sort()).toEqual([
      'script-src eval',
      'script-src-attr inline',
      'script-src-elem https://example.org/x.js',
      'script-src-elem inline',
    ])
  })

  it('is denied every permission', async () => {
    const outcome = await running.page.evaluate(async () => {
      const refused = (work: () => Promise<unknown>) =>
        Promise.resolve()
          .then(work)
          .then(
            () => 'granted',
            () => 'refused',
          )
      const device = (name: string, verb: string, options: object) => {
        const api: unknown = Reflect.get(navigator, name)
        const ask: unknown = typeof api === 'object' && api !== null ? Reflect.get(api, verb) : undefined
        if (typeof ask !== 'function') return Promise.resolve('refused')
        return refused(async () => {
          const chosen: unknown = await Reflect.apply(ask, api, [options])
          // WebHID answers with an empty list where nothing may be chosen.
          if (Array.isArray(chosen) && chosen.length === 0) throw new Error('none')
        })
      }
      return {
        location: await refused(
          () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)),
        ),
        notifications: await Notification.requestPermission(),
        camera: await refused(() => navigator.mediaDevices.getUserMedia({ video: true, audio: true })),
        screen: await refused(() => navigator.mediaDevices.getDisplayMedia()),
        clipboard: await refused(() => navigator.clipboard.readText()),
        midi: await refused(() => navigator.requestMIDIAccess({ sysex: true })),
        serial: await device('serial', 'requestPort', {}),
        usb: await device('usb', 'requestDevice', { filters: [] }),
        hid: await device('hid', 'requestDevice', { filters: [] }),
        persistent: await refused(async () => {
          const state = await navigator.permissions.query({ name: 'geolocation' })
          if (state.state !== 'granted') throw new Error(state.state)
        }),
      }
    })
    const { notifications, ...others } = outcome
    expect(notifications).toBe('denied')
    expect(new Set(Object.values(others))).toEqual(new Set(['refused']))
  })

  it('cannot be led elsewhere', async () => {
    const { page, dataFolder } = running
    const before = page.url()
    expect(before.startsWith(start)).toBe(true)
    const refused = await page.evaluate(async () => {
      Object.assign(globalThis, { isSamePage: true })
      const addresses: string[] = []
      const controller = new AbortController()
      navigation.addEventListener(
        'navigate',
        ({ destination, defaultPrevented }) => {
          if (defaultPrevented) addresses.push(destination.url)
        },
        { signal: controller.signal },
      )
      const untilRefused = (lead: () => void) =>
        new Promise<unknown>((resolve) => {
          navigation.addEventListener('navigateerror', resolve, { once: true })
          lead()
        })
      const goTo = (address: string) => untilRefused(() => (location.href = address))
      await goTo('https://example.org/')
      // No navigation begins: Chromium logs this one as refused.
      location.href = 'file:///etc/hostname'
      await untilRefused(() => location.assign('app://other/index.html'))
      const link = document.createElement('a')
      link.href = 'https://example.org/link'
      document.body.append(link)
      await untilRefused(() => link.click())
      const form = document.createElement('form')
      form.action = 'https://example.org/form'
      document.body.append(form)
      await untilRefused(() => form.submit())
      const refresh = document.createElement('meta')
      refresh.httpEquiv = 'refresh'
      refresh.content = '0;url=https://example.org/refresh'
      await untilRefused(() => document.head.append(refresh))
      for (const element of [link, form, refresh]) element.remove()
      for (const address of [
        'about:blank',
        'about:srcdoc',
        URL.createObjectURL(new Blob(['<p>'], { type: 'text/html' })),
      ])
        await goTo(address)
      controller.abort()
      return addresses
    })
    expect(refused).toEqual([
      'https://example.org/',
      'app://other/index.html',
      'https://example.org/link',
      'https://example.org/form?',
      'https://example.org/refresh',
      'about:blank',
      'about:srcdoc',
      expect.stringMatching(/^blob:/) as string,
    ])
    await expect
      .poll(() => readLog(dataFolder, 'page.log'))
      .toContain('Not allowed to load local resource: file:///etc/hostname')
    expect(page.url()).toBe(before)
    expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage') as boolean)).toBe(true)
    expect(await page.evaluate(() => typeof window.bridgedeck)).toBe('object')
  })

  it('is loaded again where it left the app all the same', async () => {
    const { app, page, dataFolder } = running
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]
        ?.loadURL('about:blank')
        .catch(() => undefined),
    )
    await expect.poll(() => readLog(dataFolder, 'main.log')).toContain('the page left the app')
    await expect.poll(() => page.url()).toContain(start)
    await untilBridge(page, 'ready')
  })

  it('downloads nothing', async () => {
    const { app, page, dataFolder } = running
    await app.evaluate(({ session, dialog }) => {
      const downloads: string[] = []
      Object.assign(globalThis, { downloads })
      dialog.showSaveDialog = () => {
        downloads.push('a dialog')
        return Promise.resolve({ canceled: true, filePath: '' })
      }
      session.defaultSession.on('will-download', ({ defaultPrevented }, item) => {
        downloads.push(`${defaultPrevented ? 'refused' : 'begun'} ${item.getFilename()}`)
      })
    })
    await page.evaluate(() => {
      for (const href of ['data:text/plain,x', URL.createObjectURL(new Blob(['x']))]) {
        const link = document.createElement('a')
        link.href = href
        link.download = 'x.txt'
        document.body.append(link)
        link.click()
        link.remove()
      }
    })
    const downloads = () => app.evaluate(() => Reflect.get(globalThis, 'downloads') as string[])
    await expect.poll(downloads).toEqual(['refused x.txt', 'refused x.txt'])
    expect(readLog(dataFolder, 'main.log')).toContain('a download was refused')
  })

  it('reaches no other computer by WebRTC', async () => {
    const heard: string[] = []
    const udp = createUdpSocket('udp4').on('message', () => heard.push('udp'))
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
    const tcp = createServer(() => heard.push('tcp'))
    await new Promise<void>((resolve) => tcp.listen(udp.address().port, '127.0.0.1', resolve))
    await running.page.evaluate(async (port) => {
      const connection = new RTCPeerConnection({
        iceServers: [
          { urls: `stun:127.0.0.1:${port}` },
          { urls: `turn:127.0.0.1:${port}?transport=tcp`, username: 'a', credential: 'b' },
        ],
      })
      connection.createDataChannel('out')
      const gathered = new Promise<void>((resolve) => {
        connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve()
        // It was seen never to complete, with nobody to answer it.
        setTimeout(resolve, 15_000)
      })
      await connection.setLocalDescription()
      await gathered
      connection.close()
    }, udp.address().port)
    udp.close()
    tcp.close()
    expect(heard).toEqual([])
  })

  it('opens no window and no web view; a web address goes to the browser and nothing else does', async () => {
    const { app, page } = running
    await app.evaluate(({ shell }) => {
      const opened: string[] = []
      Object.assign(globalThis, { opened })
      shell.openExternal = (address: string) => {
        opened.push(address)
        return Promise.resolve()
      }
    })
    const results = await page.evaluate(async () => {
      const addresses = [
        'https://example.org/a',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'smb://host/share',
        'app://bridgedeck/index.html',
        'about:blank',
      ]
      const windows = addresses.map((address) => window.open(address))
      const view = document.createElement('webview')
      view.setAttribute('src', 'https://example.org/')
      document.body.append(view)
      const frame = document.createElement('iframe')
      frame.src = 'app://bridgedeck/index.html'
      const refused = new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          if (effectiveDirective === 'frame-src') resolve(blockedURI)
        }),
      )
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
      document.body.append(frame)
      await loaded
      const inFrame = frame.contentDocument?.body.innerHTML ?? ''
      view.remove()
      frame.remove()
      return { windows, inFrame, refused: await refused }
    })
    expect(results.windows).toEqual([null, null, null, null, null, null])
    expect(results).toMatchObject({ inFrame: '', refused: 'app' })
    expect(app.windows()).toHaveLength(1)
    expect(
      await app.evaluate(
        ({ webContents }) =>
          webContents.getAllWebContents().filter((contents) => contents.getType() === 'webview').length,
      ),
    ).toBe(0)
    await expect
      .poll(() => app.evaluate(() => Reflect.get(globalThis, 'opened') as string[]))
      .toEqual(['https://example.org/a'])
  })

  it('is answered with errors that carry no stack or path', async () => {
    const answers = await running.page.evaluate(async () => [
      await window.bridgedeck.machine.pause({ machine: 'vice' }),
      await window.bridgedeck.machine.connect({ machine: 'not a machine' }),
      await window.bridgedeck.program.runGranted({ machine: 'builtin', grant: 'made-up-by-the-page', watch: false }),
    ])
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))).toEqual([
      'NOT_FOUND',
      'INVALID',
      'FORBIDDEN',
    ])
    expect(JSON.stringify(answers)).not.toMatch(/ at |\.cjs|\/work|Zod/)
  })

  it('gets bytes in buffers of exactly their size', async () => {
    const sizes = await running.page.evaluate(async () => {
      const answer = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address: 0, length: 5 })
      return answer.ok ? [answer.data.bytes.byteLength, answer.data.bytes.buffer.byteLength] : []
    })
    expect(sizes).toEqual([5, 5])
  })

  it('gets a port once for a nonce, and a reload closes it', async () => {
    const { page, dataFolder } = running
    const closings = () => readLog(dataFolder, 'bridge-output.log').split('a frame port was closed').length - 1
    const before = closings()
    const outcome = await page.evaluate(async () => {
      const nonce = crypto.randomUUID()
      let ports = 0
      const came = new Promise<void>((resolve) =>
        window.addEventListener('message', ({ data }) => {
          if (data !== nonce) return
          ports++
          resolve()
        }),
      )
      const first = await window.bridgedeck.connectPort('frames', nonce)
      const second = await window.bridgedeck.connectPort('frames', nonce)
      await came
      return { first: first.ok, second: second.ok ? 'ok' : second.error.code, ports }
    })
    expect(outcome).toEqual({ first: true, second: 'FORBIDDEN', ports: 1 })
    await page.reload()
    await untilBridge(page, 'ready')
    await expect.poll(closings).toBeGreaterThan(before)
  })

  it('breaks its own policy on no view', async () => {
    const { page } = running
    const policyViolations = await collectPolicyViolations(page)
    await page.reload()
    await untilBridge(page, 'ready')
    for (const view of [
      'screen',
      'memory',
      'code',
      'sprites',
      'registers',
      'connections',
      'device',
      'projects',
      'settings',
    ]) {
      await chooseMenuItem(running, `view.${view}`)
      await page.locator(`[data-panel="${view}"]`).waitFor()
    }
    await chooseMenuItem(running, 'view.palette')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await page.keyboard.press('Escape')
    await chooseMenuItem(running, 'view.help')
    await page.locator('[data-panel="help"]').waitFor()
    expect(await policyViolations()).toEqual([])
  })
})
