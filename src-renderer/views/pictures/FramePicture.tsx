import { useEffect, useRef } from 'react'
import { pictureToRgba } from '@shared/c64/picture'
import { bandText, changedText, groupBands, linesText } from '@shared/c64/videoFrame/frameText'
import type { FrameReading } from '@shared/c64/videoFrame/readFrame'
import { useChosen } from '../../client/chosen'
import { VideoFrameReader } from '../../client/VideoFrameReader'
import { videoFrames } from '../../client/videoFrames'
import { useColours, usePixelAspect } from '../../frames/screenOptions'
import { WithFrame } from '../../frames/WithFrame'
import { useChosenZoom } from '../../widgets/useWholeZoom'

export function FramePicture({ visible }: { readonly visible: boolean }) {
  const { read } = videoFrames.useFrame()
  return (
    <WithFrame what="splits" unknown="what the program changed from line to line">
      <div className="view-content pictures-view">
        <VideoFrameReader visible={visible} />
        <FrameStage reading={read?.frame.reading ?? null} />
        {read ? <Bands reading={read.frame.reading} /> : null}
      </div>
    </WithFrame>
  )
}

function FrameStage({ reading }: { readonly reading: FrameReading | null }) {
  const space = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useColours()
  const aspect = usePixelAspect()
  const [size] = useChosen('pictures.zoom')
  const picture = reading?.picture
  const { width, height } = picture ?? { width: 384, height: 272 }
  const zoom = useChosenZoom(size, space, width * aspect, height)
  useEffect(() => {
    const context = canvas.current?.getContext('2d', { alpha: false })
    if (!context || !picture) return
    const image = new ImageData(picture.width, picture.height)
    pictureToRgba(picture, palette, new Uint32Array(image.data.buffer))
    context.putImageData(image, 0, 0)
  }, [picture, palette])
  return (
    <div ref={space} className="picture-stage">
      <div
        className="picture-frame"
        hidden={picture === undefined}
        style={{ width: width * aspect * zoom, height: height * zoom }}
      >
        <canvas ref={canvas} width={width} height={height} role="img" aria-label="The frame that was read" />
      </div>
    </div>
  )
}

function Bands({ reading }: { readonly reading: FrameReading }) {
  return (
    <div
      className="picture-side frame-bands"
      role="group"
      aria-label="Bands of the frame"
      tabIndex={0}
      data-panel-focus
    >
      <table className="data">
        <thead>
          <tr>
            <th scope="col">Lines</th>
            <th scope="col">Shows</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {groupBands(reading.bands).map((group) => (
            <tr key={group.firstLine}>
              <td>{linesText(group)}</td>
              <td>{bandText(group)}</td>
              <td>{changedText(group)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
