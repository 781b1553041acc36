export function assembleAll(sourceFolder?: string, outputFolder?: string): Promise<void>
