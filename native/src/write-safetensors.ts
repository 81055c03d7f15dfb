import { fileError } from "./file-error.ts";
import type { SafetensorsKind } from "./safetensors.ts";
import { lengthBytes, tensorBytes, type TensorType } from "./safetensors-header.ts";

/** Where the tensors begin is a multiple of this, so that a file can be mapped and read by any instruction. */
const alignment = 64;

/** One tensor to be written. */
export interface Tensor {
  readonly name: string;
  readonly type: TensorType;
  readonly shape: readonly number[];
  /** Its numbers in order, in blocks; each is written before the next is asked for, so that one array can serve for all. */
  blocks(): Iterable<ArrayBufferView>;
}

/** What is written beside the tensors. */
export interface SafetensorsContent extends SafetensorsKind {
  readonly metadata?: Readonly<Record<string, string>>;
  /** In the order in which they stand in the file. */
  readonly tensors: readonly Tensor[];
}

/**
 * Writes a file of tensors under a name of its own, brings it to the disk, and then gives it the name: whoever reads finds the old
 * file or the new one, also after a power failure, and a mapped old file stays as it is.
 *
 * @throws {KernelError} `unwritable-target` when it cannot be written; what was there before is untouched.
 */
export async function writeSafetensors(path: string, content: SafetensorsContent): Promise<void> {
  const { open, rename, rm, stat } = await import("node:fs/promises");
  const { createHash, randomUUID } = await import("node:crypto");
  const partial = `${path}.${randomUUID()}.partial`;
  const refuse = (cause: unknown): never => {
    throw fileError("unwritable-target", path, "cannot be written", cause);
  };
  // A rename would put a file in the place of a device or a pipe.
  const present = await stat(path).catch(() => undefined);
  if (present !== undefined && !present.isFile() && !present.isDirectory()) {
    throw fileError("unwritable-target", path, "is a device, a pipe or a socket, not a file");
  }
  const file = await open(partial, "wx").catch(refuse);
  try {
    try {
      const hash = createHash("sha256");
      const { bytes, checksumAt } = encodeHeader(content);
      hash.update(bytes);
      await writeAll(file, bytes).catch(refuse);
      for (const tensor of content.tensors) {
        let length = 0;
        for (const block of tensor.blocks()) {
          const part = new Uint8Array(block.buffer as ArrayBuffer, block.byteOffset, block.byteLength);
          hash.update(part);
          await writeAll(file, part).catch(refuse);
          length += part.length;
        }
        if (length !== tensorBytes(tensor.type, tensor.shape)) {
          throw fileError("internal", path, `was given ${length} bytes of "${tensor.name}", which its shape denies`);
        }
      }
      await file.write(hash.digest("hex"), checksumAt).catch(refuse);
      await file.sync().catch(refuse);
    } finally {
      await file.close();
    }
    await rename(partial, path).catch(refuse);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(path);
}

interface WritableFile {
  write(bytes: Uint8Array, offset: number, length: number): Promise<{ readonly bytesWritten: number }>;
}

async function writeAll(file: WritableFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}

/** The header with zeros for the checksum, and where the checksum stands. */
function encodeHeader({ format, version, metadata, tensors }: SafetensorsContent): {
  readonly bytes: Uint8Array;
  readonly checksumAt: number;
} {
  const placeholder = "0".repeat(64);
  const header: Record<string, unknown> = {
    __metadata__: { sha256: placeholder, format, version: String(version), ...metadata },
  };
  let end = 0;
  for (const { name, type, shape } of tensors) {
    const start = end;
    end += tensorBytes(type, shape);
    header[name] = { dtype: type, shape, data_offsets: [start, end] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil((lengthBytes + text.length) / alignment) * alignment - lengthBytes;
  const bytes = new Uint8Array(lengthBytes + length).fill(" ".charCodeAt(0));
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(text, lengthBytes);
  // The checksum is the first value, so that no text of the caller's stands before it.
  return { bytes, checksumAt: lengthBytes + JSON.stringify(header).indexOf(placeholder) };
}

/** Brings the new name to the disk, where the system lets a folder be opened. */
async function syncFolder(path: string): Promise<void> {
  const { open } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  const folder = await open(dirname(path), "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
