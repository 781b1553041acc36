import { create } from 'zustand'
import { isAudioDelivery, type AudioRequest } from '@shared/contract/audio'
import type { MachineState } from '@shared/contract/machine'
import { AudioPlayer } from './audioPlayer'
import { BridgePort } from './bridgePort'
import { frontMachine, isConnected, useFrontMachine, useMachines } from '../client/machines'
import { streamOf, toggleStream } from '../client/streams'
import { onViewState, setViewValue, useViewState, viewValue } from '../client/viewState'

const MUTED_KEY = 'sound.muted'
export const VOLUME_KEY = 'sound.volume'
const readMuted = (stored: unknown): boolean => stored === true
export const readVolume = (stored: unknown): number =>
  typeof stored === 'number' && stored >= 0 && stored <= 1 ? stored : 1

interface Sound {
  /** 20 ms each. */
  readonly blocks: number
  readonly dropped: number
  readonly gaps: number
  readonly problem: string | null
}

const silence: Sound = { blocks: 0, dropped: 0, gaps: 0, problem: null }

export const useSound = create<Sound>(() => silence)

const BLOCKS_PER_UPDATE = 25

export const sendsSound = (state: MachineState | undefined): boolean =>
  isConnected(state) && streamOf(state, 'audio') !== undefined

export function useIsAudible(): boolean {
  const sends = sendsSound(useFrontMachine())
  const [muted] = useViewState(MUTED_KEY, readMuted)
  return sends && !muted
}

/** Unmuting also starts the audio stream where it does not run. */
export async function toggleSound(): Promise<void> {
  const sends = sendsSound(frontMachine())
  setViewValue(MUTED_KEY, sends && !viewValue(MUTED_KEY, readMuted))
  if (!sends) await toggleStream('audio')
}

const port = new BridgePort<AudioRequest>('audio')
port.use({ onOpen: requestSound, onMessage: receive })

let heard: string | null = null
let player: Promise<AudioPlayer> | undefined
let playing: AudioPlayer | undefined
let gapsBefore: number | null = null

/** Call it once. */
export function startAudio(): void {
  useMachines.subscribe(follow)
  onViewState(follow)
  follow()
}

function follow(): void {
  const { front, bridge } = useMachines.getState()
  // A new bridge does not know the port to the one before.
  if (bridge.state !== 'ready') port.close()
  playing?.setVolume(viewValue(VOLUME_KEY, readVolume))
  const isAudible = bridge.state === 'ready' && sendsSound(frontMachine()) && !viewValue(MUTED_KEY, readMuted)
  const wanted = isAudible ? front : null
  if (wanted === heard) return
  heard = wanted
  gapsBefore = null
  useSound.setState(silence)
  if (wanted !== null) port.open()
  requestSound()
  void adjustPlayer()
}

function requestSound(): void {
  port.post({ kind: 'subscribe', machine: heard })
}

async function adjustPlayer(): Promise<void> {
  if (heard === null && !player) return
  try {
    player ??= AudioPlayer.open(({ gaps }) => {
      // Gaps from before the first block do not count.
      gapsBefore ??= gaps
      if (useSound.getState().gaps !== gaps - gapsBefore) useSound.setState({ gaps: gaps - gapsBefore })
    })
    playing = await player
    playing.setVolume(viewValue(VOLUME_KEY, readVolume))
    await (heard === null ? playing.pause() : playing.resume())
  } catch (error) {
    player = undefined
    playing = undefined
    console.error(error)
    useSound.setState({
      problem:
        'Chromium could not open this computer’s sound output. Look at the system’s sound settings, then mute and unmute.',
    })
  }
}

let blocks = 0

function receive(message: unknown): void {
  if (!isAudioDelivery(message)) return
  const { machine, samples, rate, dropped } = message
  port.post({ kind: 'credit' })
  // A block of the machine before may arrive after another one comes to the front.
  if (machine !== heard) return
  blocks++
  if (blocks % BLOCKS_PER_UPDATE === 0)
    useSound.setState((sound) => ({ blocks: sound.blocks + BLOCKS_PER_UPDATE, dropped }))
  playing?.play(samples, rate)
}
