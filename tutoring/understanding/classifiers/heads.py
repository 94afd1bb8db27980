"""Small linear classifiers over vectors: softmax regression, stored as half floats."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Matrix = NDArray[np.floating]


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A classifier: `weights` [d + 1, k], the last row is the bias."""

    labels: tuple[str, ...]
    weights: "Matrix"

    def probabilities(self, vector: "Matrix") -> dict[str, float]:
        """Return the probability of each label for a vector [d]; they sum to 1."""
        import numpy as np

        # Not `@`: BLAS threads wait for each other on a busy machine.
        scores = np.einsum("i,ij->j", vector, self.weights[:-1]) + self.weights[-1]
        shares = np.exp(scores - scores.max())
        return dict(zip(self.labels, (shares / shares.sum()).tolist(), strict=True))

    def likeliest(self, vector: "Matrix") -> tuple[str, float]:
        """Return the likeliest label for a vector [d], and its probability."""
        return max(self.probabilities(vector).items(), key=itemgetter(1))


def from_arrays(arrays: "Mapping[str, Matrix]") -> dict[str, Head]:
    """Return the heads that `head_fitting.as_arrays` made. Raises KeyError if one of the two parts is missing."""
    import numpy as np

    names = [name.removesuffix(".weights") for name in arrays if name.endswith(".weights")]
    return {
        name: Head(
            labels=tuple(map(str, arrays[f"{name}.labels"])),
            weights=arrays[f"{name}.weights"].astype(np.float32),
        )
        for name in names
    }
