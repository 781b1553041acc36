import { dialog, type BrowserWindow } from 'electron'
import { basename, dirname, join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { ClosingAnswer, ClosingQuestion } from './closing'
import type { Question } from './router'
import type { DialogName, WindowStore } from './windowState'

export interface FileFilter {
  readonly name: string
  readonly extensions: string[]
}

/** While one is open, others are BUSY. A file dialog starts in the folder that was chosen last. */
export class Dialogs {
  readonly #window: BrowserWindow
  readonly #store: WindowStore
  #isOpen = false

  constructor(window: BrowserWindow, store: WindowStore) {
    this.#window = window
    this.#store = store
  }

  async open(name: DialogName, title: string, filters: readonly FileFilter[]): Promise<string | undefined> {
    const folder = this.#store.stored.folders[name]
    const { filePaths } = await this.#alone(() =>
      dialog.showOpenDialog(this.#window, {
        title,
        filters: [...filters],
        properties: ['openFile'],
        ...(folder === undefined ? {} : { defaultPath: folder }),
      }),
    )
    return this.#remember(name, filePaths[0])
  }

  async openFolder(name: DialogName, title: string): Promise<string | undefined> {
    const folder = this.#store.stored.folders[name]
    const { filePaths } = await this.#alone(() =>
      dialog.showOpenDialog(this.#window, {
        title,
        properties: ['openDirectory'],
        ...(folder === undefined ? {} : { defaultPath: folder }),
      }),
    )
    return this.#remember(name, filePaths[0])
  }

  async save(
    name: DialogName,
    title: string,
    suggestion: string,
    filters: readonly FileFilter[],
  ): Promise<string | undefined> {
    const folder = this.#store.stored.folders[name]
    const { filePath } = await this.#alone(() =>
      dialog.showSaveDialog(this.#window, {
        title,
        filters: [...filters],
        defaultPath: folder === undefined ? suggestion : join(folder, basename(suggestion)),
      }),
    )
    return this.#remember(name, filePath)
  }

  async confirm(question: Question): Promise<boolean> {
    return (await this.confirmWith(question)).isAgreed
  }

  async confirmWith(
    { message, detail, button }: Question,
    checkbox?: string,
  ): Promise<{ readonly isAgreed: boolean; readonly isTicked: boolean }> {
    const { response, checkboxChecked } = await this.#alone(() =>
      dialog.showMessageBox(this.#window, {
        type: 'warning',
        message,
        detail,
        buttons: ['Cancel', button],
        defaultId: 0,
        cancelId: 0,
        ...(checkbox === undefined ? {} : { checkboxLabel: checkbox }),
      }),
    )
    return { isAgreed: response === 1, isTicked: checkboxChecked }
  }

  /** A hidden window is shown first, so that the question is visible. */
  async askBeforeClosing({ message, detail }: ClosingQuestion): Promise<ClosingAnswer> {
    if (!this.#window.isVisible()) this.#window.show()
    const { response } = await dialog.showMessageBox(this.#window, {
      type: 'question',
      message,
      detail,
      buttons: ['Keep them running', 'Stop them and close', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
    })
    return (['keepRunning', 'stop'] as const)[response] ?? 'cancel'
  }

  async #alone<T>(show: () => Promise<T>): Promise<T> {
    if (this.#isOpen)
      throw new AppError('BUSY', 'Another dialog of Bridgedeck is open.', { hint: 'Answer that one first.' })
    this.#isOpen = true
    try {
      return await show()
    } finally {
      this.#isOpen = false
    }
  }

  #remember(name: DialogName, path: string | undefined): string | undefined {
    if (path === undefined || path === '') return undefined
    this.#store.remember({ folders: { ...this.#store.stored.folders, [name]: dirname(path) } })
    return path
  }
}
