import { streamKinds, type MachineState, type StreamKind } from '@shared/contract/machine'
import { sendsSound, useSound } from '../../frames/audio'
import { call } from '../../client/call'
import { limitOf } from '../../client/machines'
import { SoundButton } from '../../frames/SoundButton'
import { streamOf } from '../../client/streams'
import { Button } from '../../widgets/Button'
import { Part } from './Part'
import { Problem } from '../../widgets/Problem'
import { useTask } from './useTask'

const titles: Readonly<Record<StreamKind, string>> = { video: 'Video', audio: 'Audio', debug: 'Debug' }
const purposes: Readonly<Record<StreamKind, string>> = {
  video: 'Its picture, for the screen view.',
  audio: 'Its sound.',
  debug: 'Every access of its bus, for memory that shows what was read and written just now.',
}

export function Streams({ state }: { readonly state: MachineState }) {
  const limits = streamKinds.map((stream) => limitOf(state, `${stream}Stream`))
  const sendsSome = limits.includes(null)
  const oneLimit = limits.every((limit) => limit === limits[0]) ? limits[0] : undefined
  return (
    <Part title="Streams">
      {sendsSome ? (
        <p className="muted">
          Streams go over the machine’s network cable (not Wi-Fi) to this computer in the same network. Video and debug
          exclude each other: starting one stops the other.
        </p>
      ) : null}
      {oneLimit ? (
        <p className="muted">{oneLimit}</p>
      ) : (
        <ul className="device-rows">
          {streamKinds.map((stream) => (
            <StreamRow key={stream} state={state} stream={stream} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function StreamRow({ state, stream }: { readonly state: MachineState; readonly stream: StreamKind }) {
  const { isBusy, failure, run } = useTask()
  const { problem } = useSound()
  const limit = limitOf(state, `${stream}Stream`)
  const running = streamOf(state, stream)
  const name = `the ${stream} stream`
  const set = (on: boolean) => run(() => call('machine.setStream', { machine: state.machine, stream, on }))
  return (
    <li className="device-row" data-stream={stream}>
      <span className="device-name">{titles[stream]}</span>
      {limit === null ? (
        <>
          <span className="device-buttons">
            <Button
              label={running ? `Stop ${name}` : isBusy ? `Starting ${name}…` : `Start ${name}`}
              why={isBusy ? 'Still working.' : null}
              onClick={() => set(running === undefined)}
            />
            {stream === 'audio' ? <SoundButton /> : null}
          </span>
          <span className="muted data" title="Packets received since the start, and packets lost on the way">
            {running ? `${running.packets} packets, ${running.lost} lost` : 'stopped'}
          </span>
          <span className="device-about muted">{purposes[stream]}</span>
        </>
      ) : (
        <span className="device-about muted">{limit}</span>
      )}
      <Problem failure={failure} />
      {stream === 'audio' && sendsSound(state) && problem !== null ? <Problem failure={{ message: problem }} /> : null}
    </li>
  )
}
