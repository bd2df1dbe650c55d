import { create } from "content-disposition";
import type { FastifyReply } from "fastify";
import type { File } from "./handler.ts";

/**
 * Sends a file to save. Its name is sent as RFC 6266 says: in ASCII, and in UTF-8 (RFC 8187) if it has other characters.
 */
export const sendFile = (reply: FastifyReply, { name, type, text }: File): FastifyReply =>
  reply.type(`${type}; charset=utf-8`).header("content-disposition", create(name)).send(text);
