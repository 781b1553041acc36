/** A virtual display. */
import { spawn } from 'node:child_process'
import { SetupError, which } from './process.mjs'

const START_WAIT_MS = 60_000

export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

/**
 * Starts Xvfb on a free display number.
 * @param {{ width?: number, height?: number }} size of the screen, pixels
 * @returns {Promise<{ environment: { DISPLAY: string, WAYLAND_DISPLAY: '' }, stop: () => void }>} the environment of
 *   programs that open windows there
 */
export async function startXvfb({ width = 1920, height = 1200 } = {}) {
  if (!which('Xvfb')) throw new SetupError('Xvfb, the virtual display, is not installed.')
  const args = ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp', '-noreset']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const kill = () => void server.kill()
  process.once('exit', kill)
  const stop = () => {
    process.off('exit', kill)
    kill()
  }
  const number = await new Promise((done, reject) => {
    let complaint = ''
    let answer = ''
    const timer = setTimeout(
      () => reject(new SetupError(`Xvfb did not start within ${START_WAIT_MS / 1000} s.`)),
      START_WAIT_MS,
    )
    server.stderr.on('data', (chunk) => (complaint = `${complaint}${chunk}`.slice(-2000)))
    server.stdio[3].on('data', (chunk) => {
      answer += chunk
      if (!answer.includes('\n')) return
      clearTimeout(timer)
      done(answer.trim())
    })
    server.once('error', reject)
    server.once('exit', () => {
      clearTimeout(timer)
      reject(new SetupError(`Xvfb did not start: ${complaint.trim()}`))
    })
  })
  server.unref()
  server.stderr.unref()
  server.stdio[3].destroy()
  return { environment: { DISPLAY: `:${number}`, WAYLAND_DISPLAY: '' }, stop }
}
