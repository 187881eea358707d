"""stereo/prediction: disparity maps by the views that they predict."""

from __future__ import annotations

from beholder.core.benchmark import Benchmark, Figures, Unjudged
from beholder.core.measure import fix
from beholder.core.sample import Dataset
from beholder.judges.mean_rank import mean_rank
from beholder.judges.pareto import pareto
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.datasets.planes import planes
from beholder.stereo.figures import predicted_views
from beholder.stereo.measures.prediction import view_mse, view_psnr, view_rmse, view_ssim
from beholder.stereo.types import Pair, Truth, disparity_map
from beholder.stereo.views import prediction_views


def prediction(dataset: Dataset[Pair, Truth] | None = None) -> Benchmark:
    """RMSE between the left image and its prediction from views that the model never saw, where those views see it.

    The official measure is inverse prediction with visibility from the true disparity; without a visibility test, wrong
    maps win. Beside it stand MSE, PSNR and SSIM, forward prediction, visibility from the model's own map or none, and
    blended intervals. Scenes without further views are not applicable.
    """
    own = dense()
    return Benchmark(
        name="stereo/prediction",
        version=1,
        dataset=planes() if dataset is None else dataset,
        measures=(view_rmse,),
        judges=(pareto, mean_rank),
        accept=disparity_map,
        unjudged=Unjudged(
            (
                view_mse,
                view_psnr,
                view_ssim,
                fix(view_rmse, way="forward"),
                fix(view_rmse, visible="own"),
                fix(view_rmse, visible="none"),
                fix(view_rmse, blend=0.2),
            )
        ),
        lineup=own.lineup,
        files=own.files,
        figures=Figures(sample=predicted_views, views=prediction_views),
        about="Disparity maps judged by the views they predict: RMSE of colours, in grey levels, where both views see.",
    )
