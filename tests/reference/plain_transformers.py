"""What transformers alone says of the same ids: greedy `generate`, and one plain full forward pass.

Run as a process of its own, so that no test process imports torch: reads a JSON request on stdin, writes
JSON.
"""

from __future__ import annotations

import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def main() -> None:
    request = json.load(sys.stdin)
    torch.set_num_threads(1)  # as the worker on two cores; spinning threads on busy ones take minutes
    tokenizer = AutoTokenizer.from_pretrained(request["folder"], local_files_only=True)
    dtype = getattr(torch, request["dtype"])
    model = AutoModelForCausalLM.from_pretrained(request["folder"], dtype=dtype, local_files_only=True)
    answer: dict[str, object] = {}
    if "messages" in request:
        answer["prompt_ids"] = tokenizer.apply_chat_template(
            request["messages"], add_generation_prompt=True, return_dict=True
        )["input_ids"]
        prompt = torch.tensor([answer["prompt_ids"]])
        out = model.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            do_sample=False,
            max_new_tokens=request["max_tokens"],
        )
        answer["ids"] = out[0, prompt.shape[1] :].tolist()
        answer["text"] = tokenizer.decode(answer["ids"])
    if "full" in request:
        prompt_ids, ids = request["full"]
        with torch.inference_mode():
            logits = model(torch.tensor([prompt_ids + ids])).logits[0].double()
        logits = logits[len(prompt_ids) - 1 : -1]
        logprobs = torch.log_softmax(logits, -1)
        chosen = torch.tensor(ids)[:, None]
        picked = logits.gather(1, chosen)
        answer["logprobs"] = logprobs.gather(1, chosen)[:, 0].tolist()
        answer["ranks"] = (1 + (logits > picked).sum(1)).tolist()
        # distance to the nearest other token: where it is small, rounding alone may swap neighbours
        distance = (logits - picked).abs().scatter(1, chosen, float("inf"))
        answer["gaps"] = distance.min(1).values.tolist()
        answer["top"] = [
            [[int(i), float(row[i])] for i in row.topk(request["top"]).indices] for row in logprobs
        ]
        answer["entropies"] = (-(logprobs.exp() * logprobs).sum(1) / torch.log(torch.tensor(2.0))).tolist()
    json.dump(answer, sys.stdout)


main()
