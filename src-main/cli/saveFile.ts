import { describeFileError } from '../files/fileErrors'
import { replaceChosenFile } from '../files/stagedWrite'
import type { FilePath } from './parameters'

export async function saveFile({ path, written }: FilePath, bytes: Uint8Array): Promise<void> {
  try {
    await replaceChosenFile(path, bytes)
  } catch (error) {
    throw describeFileError(error, written, 'written')
  }
}

export async function saveTexts({ path, written }: FilePath, texts: AsyncIterable<string>): Promise<void> {
  try {
    await replaceChosenFile(path, bytesOf(texts))
  } catch (error) {
    throw describeFileError(error, written, 'written')
  }
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield new TextEncoder().encode(text)
}
