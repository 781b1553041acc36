import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { formatByte } from '@shared/c64/address'
import type { RecordingInfo } from '@shared/contract/recorder'
import { rgb, themeColours } from '../../widgets/themeColours'
import { useTheme } from '../../app/theme'
import type { Values } from './store'

/** Above and below the line, where its highest and lowest value stand, CSS px. */
const MARGIN = 16

interface ValueChartProps {
  readonly info: RecordingInfo
  readonly values: Values | null
  /** What is marked, ms since 1970. */
  readonly marks: { readonly from: number | null; readonly to: number | null }
  readonly time: number | undefined
  readonly onTime: (time: number) => void
}

/** The byte over the whole recording as a line of steps; a click or a drag shows that moment. */
export function ValueChart({ info, values, marks, time, onTime }: ValueChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  const theme = useTheme((state) => state.theme)
  const from = info.from ?? 0
  const to = Math.max(info.to ?? 0, from + 1)

  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: Math.round(entry.contentRect.width), height: Math.round(entry.contentRect.height) })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    element.width = size.width * devicePixelRatio
    element.height = size.height * devicePixelRatio
    context.scale(devicePixelRatio, devicePixelRatio)
    const colours = themeColours()
    const x = (at: number): number => ((at - from) / (to - from)) * (size.width - 1)
    const points = values?.points ?? []
    const lowest = Math.min(255, ...points.map(({ low }) => low))
    const highest = Math.max(lowest, ...points.map(({ high }) => high))
    const y = (value: number): number => MARGIN + (1 - (value - lowest) / Math.max(1, highest - lowest)) * (size.height - 2 * MARGIN)
    if (marks.from !== null || marks.to !== null) {
      const start = x(marks.from ?? from)
      context.fillStyle = rgb(colours['accent-soft'])
      context.fillRect(start, 0, x(marks.to ?? to) - start, size.height)
    }
    context.strokeStyle = rgb(colours.text)
    context.beginPath()
    for (const [index, point] of points.entries()) {
      const at = x(point.time)
      if (index > 0) context.lineTo(at, y(points[index - 1]?.value ?? 0))
      if (point.low !== point.high) {
        context.moveTo(at, y(point.low))
        context.lineTo(at, y(point.high))
      }
      context[index === 0 ? 'moveTo' : 'lineTo'](at, y(point.value))
    }
    const last = points.at(-1)
    if (last) context.lineTo(size.width, y(last.value))
    context.stroke()
    if (points.length > 0) {
      context.font = '11px monospace'
      context.fillStyle = rgb(colours.muted)
      context.fillText(formatByte(highest), 4, MARGIN - 3)
      context.fillText(formatByte(lowest), 4, size.height - 3)
    }
    for (const damage of values?.damages ?? []) {
      context.fillStyle = rgb(colours['bad-soft'])
      context.fillRect(x(damage.from), 0, Math.max(2, x(damage.to) - x(damage.from)), size.height)
    }
    if (time !== undefined) {
      context.fillStyle = rgb(colours.accent)
      context.fillRect(Math.round(x(time)) - 1, 0, 2, size.height)
    }
  }, [values, marks, time, size, theme, from, to])

  const pick = ({ nativeEvent: { offsetX }, buttons }: PointerEvent) => {
    if (buttons === 1) onTime(from + (offsetX / Math.max(1, size.width - 1)) * (to - from))
  }
  return (
    <canvas
      ref={canvas}
      className="timeline-chart"
      aria-hidden
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        pick(event)
      }}
      onPointerMove={pick}
    />
  )
}
