/** More bytes than this are not read from one file or address: the largest real API description is about 10 MB. */
export const MAX_SOURCE_BYTES: number = 64 * 1024 * 1024;
