import { Tooltip } from 'radix-ui'
import { useId, useLayoutEffect, type ReactNode } from 'react'
import { addPoses } from './poses'
import { Buttons, Choices, Contents, Fields, Forms, Lists, Overlays, States } from './Specimens'
import './gallery.css'

const grounds = [
  'bg',
  'panel',
  'raised',
  'hover',
  'pressed',
  'field',
  'accent-soft',
  'ok-soft',
  'warn-soft',
  'bad-soft',
  'changed-soft',
]
const texts = ['text', 'muted', 'accent', 'ok', 'warn', 'bad']
const sizes = ['small', 'size', 'title', 'large']

export function Gallery() {
  useLayoutEffect(() => {
    for (const sheet of document.styleSheets) addPoses(sheet)
  }, [])
  return (
    <Tooltip.Provider>
      <main className="gallery">
        <h1>Widgets</h1>
        <Section title="Text on each ground">
          <Grounds />
        </Section>
        <Section title="Scale of text">
          {sizes.map((size) => (
            <p key={size} style={{ fontSize: `var(--text-${size})` }}>
              {`--text-${size}`} <span className="data">LDA #$0F</span>
            </p>
          ))}
        </Section>
        <Section title="Buttons">
          <Buttons />
        </Section>
        <Section title="Choices">
          <Choices />
        </Section>
        <Section title="Fields">
          <Fields />
        </Section>
        <Section title="States">
          <States />
        </Section>
        <Section title="List">
          <Lists />
        </Section>
        <Section title="Form">
          <Forms />
        </Section>
        <Section title="What comes and goes">
          <Overlays />
        </Section>
        <Section title="Content">
          <Contents />
        </Section>
      </main>
    </Tooltip.Provider>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="gallery-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

function Grounds() {
  return (
    <ul className="gallery-grounds">
      {grounds.map((ground) => (
        <li key={ground} style={{ background: `var(--${ground})` }}>
          <span className="data">{ground}</span>
          {texts.map((text) => (
            <span key={text} style={{ color: `var(--${text})` }}>
              {text}
            </span>
          ))}
        </li>
      ))}
      {['accent', 'accent-hover'].map((ground) => (
        <li key={ground} style={{ background: `var(--${ground})`, color: 'var(--on-accent)' }}>
          <span className="data">{ground}</span>
          <span>on-accent</span>
        </li>
      ))}
    </ul>
  )
}
