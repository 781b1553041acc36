import { useLayoutEffect, useRef, useState, type HTMLAttributes, type ReactNode } from 'react'
import './indexedPage.css'

interface IndexedPageProps extends HTMLAttributes<HTMLDivElement> {
  readonly className: string
  readonly columns: readonly ReactNode[]
  readonly children?: ReactNode
}

export function IndexedPage({ className, columns, children, ...attributes }: IndexedPageProps) {
  const page = useRef<HTMLDivElement>(null)
  const titles = useHeadings(page)
  const goTo = (index: number) => {
    const heading = headingsOf(page.current)[index]
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    heading.scrollIntoView({ block: 'start' })
  }
  return (
    <div {...attributes} className={`view-content indexed-page ${className}`}>
      <div className="page-layout">
        <nav className="page-index" aria-label="On this page">
          <ul>
            {titles.map((title, index) => (
              <li key={index}>
                <a
                  href={`#${index + 1}`}
                  onClick={(event) => {
                    event.preventDefault()
                    goTo(index)
                  }}
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div ref={page} className="page-body">
          {children}
          <div className="page-columns">
            {columns.map((column, index) => (
              <div key={index}>{column}</div>
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

const headingsOf = (page: HTMLElement | null): HTMLElement[] => [...(page?.querySelectorAll('h2') ?? [])]

function useHeadings(page: { readonly current: HTMLElement | null }): readonly string[] {
  const [titles, setTitles] = useState<readonly string[]>([])
  // Before the first paint, as the index pushes the page aside.
  useLayoutEffect(() => {
    const read = () => {
      const found = headingsOf(page.current).map(({ textContent }) => textContent)
      setTitles((known) => (known.join('\n') === found.join('\n') ? known : found))
    }
    read()
    const observer = new MutationObserver(read)
    if (page.current) observer.observe(page.current, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [page])
  return titles
}
